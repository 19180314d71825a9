import { MillraceApiError } from '#client/errors.ts';
import type { Reporter } from '../reporting/reporter.ts';

/**
 * Fetches a file, and retries once if the service has lost the file. By then the render has failed, so the retry starts
 * it again.
 *
 * @param canRetry Whether a second attempt can start from the beginning.
 * @throws The error of the last attempt.
 */
export async function retryIfLost<T>(
  fetchOnce: () => Promise<T>,
  reporter: Pick<Reporter, 'say'>,
  canRetry: () => boolean = () => true,
): Promise<T> {
  try {
    return await fetchOnce();
  } catch (error) {
    if (!(error instanceof MillraceApiError) || error.code !== 'file_lost' || !canRetry()) throw error;
    reporter.say('The service has lost the file. Rendering it again.');
    return await fetchOnce();
  }
}
