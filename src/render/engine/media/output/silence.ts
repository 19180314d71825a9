import type { ClipWindow } from './clip-window.ts';
import type { FilterSpec } from './filter-chain.ts';

/**
 * Returns the filter that fills audio with silence until the end of a clip, if it is to last so long.
 *
 * @param start - time of the first sample, counted in samples.
 */
export function silenceFilters(clip: ClipWindow | undefined, sampleRate: number, start: number): FilterSpec[] {
  if (clip?.fillsAudio !== true) return [];
  // Without a positive length, the filter would never end.
  return [['apad', `whole_len=${Math.max(1, Math.round(clip.end * sampleRate) - start)}`]];
}
