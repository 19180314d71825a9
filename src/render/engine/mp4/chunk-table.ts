import type { SampleList } from './sample-list.ts';
import type { ChunkTable } from './sample-table-writer.ts';

/**
 * Groups the samples of a track into chunks of contiguous samples.
 *
 * @param base - added to the sample offsets.
 */
export function chunkTableOf({ offsets: positions, sizes, count }: SampleList, base = 0): ChunkTable {
  const [offsets, counts]: [number[], number[]] = [[], []];
  let [end, samples] = [-1, 0];
  for (let at = 0; at < count; at += 1) {
    const position = positions[at] ?? 0;
    if (position !== end) {
      if (samples > 0) counts.push(samples);
      offsets.push(base + position);
      samples = 0;
    }
    samples += 1;
    end = position + (sizes[at] ?? 0);
  }
  if (samples > 0) counts.push(samples);
  return { offsets, counts };
}
