import { additionLimits } from './addition-limits.ts';
import { MillraceError } from './errors.ts';

const maxChapters = additionLimits.chapters.toLocaleString('en-US');

/**
 * Returns the error for something that is larger than its limit.
 *
 * @param subject The request body, or a job description in it.
 * @param limit Bytes, a multiple of 1024.
 */
export function bodyTooLargeError(
  subject: 'request body' | 'job description',
  limit: number,
  cause?: Error,
): MillraceError {
  const message =
    `The ${subject} exceeds the limit of ${limit / 1024} KiB. Shorten it: jobs have at most ${maxChapters} chapters, and ` +
    'their subtitles can be URLs instead of content.';
  return new MillraceError('body_too_large', message, { cause });
}
