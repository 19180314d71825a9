// Constants that the client library also needs at run time. This file imports nothing, which keeps the client's bundle
// small.

/** Maximum number of jobs in one batch. */
export const maxBatchItems = 50;

/**
 * The exact `error` of a job that its owner cancelled. Programs match it, although `error_code` contains the same
 * information.
 */
export const cancelledError = 'Cancelled by its owner';

/** The prefix of webhook secrets in base64, as Standard Webhooks defines them (https://www.standardwebhooks.com). */
export const base64SecretPrefix = 'whsec_';
