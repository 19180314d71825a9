import { MillraceApiError } from '../../client/errors.ts';
import type { Reporter } from '../reporter.ts';

/**
 * Fetches a file. Does so once more if the service has lost the file: its render has failed by then, and starts again.
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
    reporter.say('The service has lost the file. It is rendered again.');
    return await fetchOnce();
  }
}
