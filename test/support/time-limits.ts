/**
 * Milliseconds in which every extraction has a result. The service gives a site 25 s, at most twice as long if it could
 * not run meanwhile, and tests add their own delays. The specification advises callers to wait for a minute.
 */
export const EXTRACTION_LIMIT_MS = 120_000;
