/**
 * What the timestamps of a file count from. `presentation`: from the beginning of the presentation, which is their
 * origin, as in MP4 and Matroska. `mpeg`: from any time, with 33 bits at 90 kHz, as in MPEG-TS. `none`: from the first
 * frame of the file, as in ADTS, because the format stores no timestamps.
 */
export type SourceClock = 'presentation' | 'mpeg' | 'none';

/** Ticks per second of a clock of MPEG, and number of ticks after which it wraps around. */
export const mpegTicksPerSecond = 90_000;
export const mpegClockTicks = 2 ** 33;

const turnSeconds = mpegClockTicks / mpegTicksPerSecond;

/**
 * Returns the time that a timestamp of a clock stands for: of those that differ by full turns of the clock, the nearest to
 * another time. Only the clocks of MPEG turn.
 */
export function nearestTurn(clock: SourceClock, seconds: number, other: number): number {
  if (clock !== 'mpeg' || !Number.isFinite(seconds) || !Number.isFinite(other)) return seconds;
  return seconds - Math.round((seconds - other) / turnSeconds) * turnSeconds;
}
