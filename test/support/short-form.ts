/**
 * Whether tests run in their short form, as in `npm test` and in the checks of a change. The long form alone runs tests
 * that take minutes, and those that count the processor time of so much work at once that any other test beside them
 * (which shares the caches of the processor) can double it.
 */
export const isShortForm = Number(process.env.RUNS ?? 1) <= 1;
