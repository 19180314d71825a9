/** A time: hours, which may be absent, minutes, seconds and their fraction. */
const time = String.raw`(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?`;
const timingLine = new RegExp(String.raw`^[ \t]*${time}[ \t]*-->[ \t]*${time}(?![\d:])`);
/** Characters of a line that can contain its times. Settings may follow them. */
const timingLength = 100;

/** Reads a line with the times of a cue, in milliseconds; undefined for any other line. */
export function parseTiming(line: string): { readonly start: number; readonly end: number } | undefined {
  const [match, ...fields] = timingLine.exec(line.slice(0, timingLength)) ?? [];
  return match === undefined ? undefined : { start: toMilliseconds(fields), end: toMilliseconds(fields.slice(4)) };
}

/** Returns a time in milliseconds, given its hours, minutes, seconds and fraction as digits. */
export function toMilliseconds([hours = '0', minutes = '0', seconds = '0', fraction = '']: readonly (
  | string
  | undefined
)[]) {
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return whole * 1000 + Number(fraction.padEnd(3, '0'));
}
