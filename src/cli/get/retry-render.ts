import { MillraceApiError, MillraceRenderError } from '#client/errors.ts';
import { sleep } from '../../waiting/sleep.ts';
import { sanitiseLine } from '../terminal/sanitise.ts';
import type { FetchContext } from './locate-file.ts';

/** Pause before the first retry of a failed render, in milliseconds; each further one is twice as long. */
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;

/**
 * Fetches a file. Retries once if the service has lost the file, and as often as `retries` says after temporary failures
 * of its render. By then the render has failed, so a retry starts it again.
 *
 * @param canRetry Whether another attempt can start from the beginning.
 * @throws The error of the last attempt; the signal's reason.
 */
export async function retryRender<T>(
  fetchOnce: () => Promise<T>,
  { reporter, signal, retries = 0 }: Pick<FetchContext, 'reporter' | 'signal' | 'retries'>,
  canRetry: () => boolean = () => true,
): Promise<T> {
  let losses = 0;
  let failures = 0;
  for (;;) {
    try {
      return await fetchOnce();
    } catch (error) {
      signal.throwIfAborted();
      if (!canRetry()) throw error;
      if (error instanceof MillraceApiError && error.code === 'file_lost' && losses === 0) {
        losses += 1;
        reporter.say('The service has lost the file. Rendering it again.');
      } else if (error instanceof MillraceRenderError && error.retryable && failures < retries) {
        const pause = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
        failures += 1;
        reporter.say(sanitiseLine(`${error.message} Retry ${failures} of ${retries}.`));
        await sleep(pause, signal);
      } else {
        throw error;
      }
    }
  }
}
