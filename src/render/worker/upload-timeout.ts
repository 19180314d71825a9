/**
 * A job that gives up its upload ends this long before its expiry, so that callers can still see why. If the upload
 * starts later, the job ends after half of the remaining time.
 */
const EXPIRY_MARGIN_MS = 30_000;

/** Returns how long the upload of a job's result may be retried, in integer milliseconds. */
export function uploadTimeout(expiresAt: Date): number {
  const remainingMs = Math.max(0, expiresAt.getTime() - Date.now());
  return Math.floor(remainingMs - Math.min(EXPIRY_MARGIN_MS, remainingMs / 2));
}
