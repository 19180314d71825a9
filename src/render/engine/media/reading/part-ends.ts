import type { PartEnds } from '../../timing/part-starts.ts';
import { isContinuous } from '../input/media-input.ts';
import type { PartReader } from './pump.ts';

/** Returns the end times of a file's streams; undefined for a file without packets. */
export function partEnds({ input, clock }: PartReader): PartEnds | undefined {
  const ends = input.streams.flatMap(({ index }) => {
    const end = clock.extent(index)?.end;
    return end === undefined ? [] : [{ end, index }];
  });
  const continuous = ends.filter(({ index }) => isContinuous(input, index));
  const all = (continuous.length > 0 ? continuous : ends).map(({ end }) => end);
  const video = continuous.filter(({ index }) => input.sources[index]?.kind === 'video').map(({ end }) => end);
  if (all.length === 0) return undefined;
  return {
    earliest: Math.min(...all),
    latest: Math.max(...all),
    ...(video.length === 0 ? {} : { video: Math.max(...video) }),
  };
}

/** Merges the end times of several files that play in parallel or in sequence. */
export function mergePartEnds(files: readonly PartEnds[]): PartEnds {
  const video = files.flatMap((ends) => ends.video ?? []);
  return {
    earliest: Math.min(...files.map(({ earliest }) => earliest)),
    latest: Math.max(...files.map(({ latest }) => latest)),
    ...(video.length === 0 ? {} : { video: Math.max(...video) }),
  };
}
