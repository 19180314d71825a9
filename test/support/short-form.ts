/**
 * Whether tests run in their short form, as in `npm test` and in the checks of a change. A few tests measure the machine
 * or the layout of a page so closely that other tests beside them change the outcome. They run in the long form only.
 */
export const isShortForm = Number(process.env.RUNS ?? 1) <= 1;
