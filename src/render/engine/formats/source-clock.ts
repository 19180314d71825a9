import type { SourceClock } from '../timing/clock-turns.ts';
import { isoFormat } from './demuxer-names.ts';

/** FFmpeg's names of the demuxers of formats with an origin, and of those with a clock of MPEG. */
const presentationFormats: ReadonlySet<string> = new Set([isoFormat, 'matroska,webm', 'flv', 'asf']);
const mpegFormats: ReadonlySet<string> = new Set(['mpegts', 'mpeg']);

/** Returns the clock of a file, given FFmpeg's name of its demuxer. */
export function sourceClockOf(format: string): SourceClock {
  if (presentationFormats.has(format)) return 'presentation';
  return mpegFormats.has(format) ? 'mpeg' : 'none';
}
