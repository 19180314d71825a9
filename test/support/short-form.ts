/**
 * Whether tests run in their short form, as in `npm test` and in the checks of a change. Only the long form runs tests
 * that take minutes.
 */
export const isShortForm = Number(process.env.RUNS ?? 1) <= 1;
