import { FFmpegError } from 'node-av/lib';
import { MillraceError } from '../../../contract/errors.ts';

/**
 * Returns the result of a media library function unless it is an error.
 *
 * @throws MillraceError `processing_failed` with `what` as the failed step.
 */
export function checkResult(result: number, what: string): number {
  if (result >= 0) return result;
  throw new MillraceError(
    'processing_failed',
    `Processing failed: ${what} (${FFmpegError.strerror(result)}). Start the job again; if it fails again, the input may be damaged.`,
  );
}
