import { AVSEEK_FLAG_BACKWARD } from 'node-av/constants';
import { isoFormat } from '../../formats/demuxer-names.ts';
import type { MediaInput } from '../input/media-input.ts';
import type { InputClock } from './input-clock.ts';

/** Demuxers that find any time by an index, so that skipping a part of the file loses nothing. */
const indexedDemuxers = new Set([isoFormat, 'matroska,webm']);
/** Seconds before the start of a clip from which a file is read: cues may still be displayed at the start. */
const leadSeconds = 10;

/**
 * Skips the part of a whole file that is long before a clip. Returns whether it was skipped.
 *
 * @param clock - the clock of the file, on which the clip begins at 0.
 */
export function seekToClip({ context, format, completeness, excerptStart }: MediaInput, clock: InputClock): boolean {
  const isWhole = completeness === 'whole' && excerptStart === undefined;
  if (!isWhole || !indexedDemuxers.has(format) || clock.begin > -2 * leadSeconds) return false;
  const target = BigInt(Math.floor((-clock.origin - leadSeconds) * 1_000_000));
  return context.seekFrameSync(-1, target, AVSEEK_FLAG_BACKWARD) >= 0;
}
