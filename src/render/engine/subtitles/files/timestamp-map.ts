import { toMilliseconds } from './parse-timing.ts';

const prefix = 'X-TIMESTAMP-MAP=';
const localPattern = /(?:^|,)LOCAL:(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})\.(\d{3})(?:,|$)/;
const ticksPattern = /(?:^|,)MPEGTS:(\d{1,10})(?:,|$)/;
/** Characters of a line that can be a map. */
const mapLength = 100;

/** Ticks per millisecond of the clock of MPEG-TS, and milliseconds after which its 33 bits wrap around. */
const ticksPerMillisecond = 90;
const turn = 2 ** 33 / ticksPerMillisecond;

/**
 * Reads the line with which a WebVTT segment of HLS maps its times to the clock of MPEG-TS (RFC 8216 §3.5).
 *
 * @returns What to add to times to get those of that clock, in milliseconds; undefined for any other line.
 */
export function parseTimestampMap(line: string): number | undefined {
  if (!line.startsWith(prefix)) return undefined;
  const map = line.slice(prefix.length, mapLength).trim();
  const [local, ticks] = [localPattern.exec(map), ticksPattern.exec(map)];
  return local === null || ticks === null
    ? undefined
    : Number(ticks[1]) / ticksPerMillisecond - toMilliseconds(local.slice(1));
}

/**
 * Returns what to add to the times of a segment, in milliseconds, so that they count like those of the first segment of
 * its file. The clock may have wrapped around between them.
 */
export function shiftBetween(firstMap: number, map: number): number {
  const shift = map - firstMap;
  return Math.round(shift - Math.round(shift / turn) * turn);
}
