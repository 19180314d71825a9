import { MillraceApiError } from '#client/errors.ts';
import type { Reporter } from '../reporter.ts';

/**
 * Fetches a file, and fetches it once more if the service has lost it: its render has failed by then, and starts again.
 *
 * @param mayRepeat Whether a second attempt can begin from nothing.
 * @throws What the last attempt throws.
 */
export async function againIfLost<T>(
  fetchOnce: () => Promise<T>,
  reporter: Pick<Reporter, 'say'>,
  mayRepeat: () => boolean = () => true,
): Promise<T> {
  try {
    return await fetchOnce();
  } catch (error) {
    if (!(error instanceof MillraceApiError) || error.code !== 'file_lost' || !mayRepeat()) throw error;
    reporter.say('The service has lost the file. Rendering it again.');
    return await fetchOnce();
  }
}
