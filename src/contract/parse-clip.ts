import type { Clip } from './clip.ts';
import { parseClipTime } from './clip-time.ts';

/**
 * Parses a clip, such as `90-150`, `1:30-2:30`, `90-` or `-150`.
 *
 * @returns The clip, or what is wrong with the text, as the end of a sentence.
 */
export function parseClip(text: string): Clip | string {
  const [startText = '', endText = '', ...others] = text.split('-').map((part) => part.trim());
  if (!text.includes('-') || others.length > 0 || (startText === '' && endText === '')) {
    return 'is not a range such as 90-150, 1:30-2:30, 90- or -150';
  }
  const start = startText === '' ? 0 : parseClipTime(startText);
  const end = endText === '' ? undefined : parseClipTime(endText);
  if (start === undefined || (endText !== '' && end === undefined)) {
    return 'has a time that is not seconds, mm:ss or hh:mm:ss';
  }
  if (end !== undefined && end <= start) return 'must end after it starts';
  return { start, ...(end === undefined ? {} : { end }) };
}
