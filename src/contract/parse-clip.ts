import { type Clip, maxClipSeconds } from './clip.ts';

/** Seconds, mm:ss or hh:mm:ss, with up to three decimals. */
const timePattern = /^(?:(?:([0-9]{1,3}):)?([0-9]{1,4}):)?([0-9]{1,7}(?:\.[0-9]{1,3})?)$/;

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
  const start = startText === '' ? 0 : secondsOf(startText);
  const end = endText === '' ? undefined : secondsOf(endText);
  if (start === undefined || (endText !== '' && end === undefined)) {
    return 'has a time that is not seconds, mm:ss or hh:mm:ss';
  }
  if (end !== undefined && end <= start) return 'must end after it starts';
  return { start, ...(end === undefined ? {} : { end }) };
}

/** Returns the seconds of a time, rounded to milliseconds. Undefined if the text is not a time, or too late. */
function secondsOf(text: string): number | undefined {
  const match = timePattern.exec(text);
  if (match === null) return undefined;
  const [, hours, minutes, seconds] = match;
  const isTooMuch = (minutes !== undefined && Number(seconds) >= 60) || (hours !== undefined && Number(minutes) >= 60);
  const milliseconds = Math.round((Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds)) * 1000);
  return isTooMuch || milliseconds > maxClipSeconds * 1000 ? undefined : milliseconds / 1000;
}
