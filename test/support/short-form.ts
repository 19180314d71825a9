/**
 * Whether tests run in their short form, as in `npm test` and in the checks of a change. Only the long form runs tests
 * that take minutes. It also runs those that count the processor time of very much work at once: other tests share the
 * processor's caches, and can double it.
 */
export const isShortForm = Number(process.env.RUNS ?? 1) <= 1;
