import { MillraceError } from '../../../contract/errors.ts';
import { sizeText } from '../../../contract/job-status.ts';
import { totalBytes } from '../byte-ranges.ts';
import type { Excerpt, MediaIndex } from './media-index.ts';

/** Number of bytes that every excerpt may have, such as those of fonts and covers, which belong to all of a file. */
const freeBytes = 128 * 1024 * 1024;
/** Bytes per second of media that every excerpt may have: 200 Mbit/s. Ultra HD Blu-ray discs have up to 128 Mbit/s. */
const usualRate = 25_000_000;
/** How many times as many bytes per second as all of its file an excerpt may have. */
const maxPeak = 4;

/**
 * Refuses an excerpt of many more bytes than its seconds can have: a file can place the samples of three seconds all over
 * its gigabytes. An index that does not state when an excerpt ends is not refused: it makes a clip as expensive as all of
 * the file, like no index, and files have their own limits.
 *
 * @param size - size of the file in bytes.
 * @param name - name of the input, for messages.
 * @throws MillraceError `input_unreadable`
 */
export function requireProportionate(
  { duration }: Pick<MediaIndex, 'duration'>,
  { parts, start, end }: Pick<Excerpt, 'parts' | 'start' | 'end'>,
  size: number,
  name: string,
): void {
  if (end === undefined) return;
  const seconds = Math.max(0, end - start);
  const bytes = totalBytes(parts.flatMap((part) => (Buffer.isBuffer(part) ? [] : [part])));
  const fileRate = duration === undefined ? 0 : size / Math.max(duration, 1);
  if (bytes <= freeBytes + seconds * Math.max(usualRate, maxPeak * fileRate)) return;
  throw new MillraceError(
    'input_unreadable',
    `${name} has an index that spreads ${Math.ceil(seconds)} s of it over ${sizeText(bytes)} of its ${sizeText(size)}. Render all of it, or use another source.`,
  );
}
