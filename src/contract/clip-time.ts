/** The latest time that a clip can name, in seconds: longer than any result. */
export const maxClipSeconds = 1_000_000;

/** Seconds, mm:ss or hh:mm:ss, with up to three decimals. */
const timePattern = /^(?:(?:([0-9]{1,3}):)?([0-9]{1,4}):)?([0-9]{1,7}(?:\.[0-9]{1,3})?)$/;

/**
 * Parses a time in a clip, such as `83`, `1:23` or `1:02:03.5`. Returns seconds, rounded to milliseconds; undefined if
 * the text is not a time, or too late.
 */
export function parseClipTime(text: string): number | undefined {
  const match = timePattern.exec(text);
  if (match === null) return undefined;
  const [, hours, minutes, seconds] = match;
  const isTooMuch = (minutes !== undefined && Number(seconds) >= 60) || (hours !== undefined && Number(minutes) >= 60);
  const milliseconds = Math.round((Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds)) * 1000);
  return isTooMuch || milliseconds > maxClipSeconds * 1000 ? undefined : milliseconds / 1000;
}
