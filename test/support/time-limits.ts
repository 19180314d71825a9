/**
 * Milliseconds in which every extraction has a result. The service gives a site 25 s, and time in which the service could
 * not run does not count. The specification advises callers to wait for a minute.
 */
export const EXTRACTION_LIMIT_MS = 60_000;
