import { AV_NOPTS_VALUE } from 'node-av/constants';
import type { FormatContext } from 'node-av/lib';
import { ticksToSeconds } from '../timestamps.ts';
import { frameSeconds, type PtsSource } from './pts-source.ts';
import { readFirstPackets } from './read-first-packets.ts';

/**
 * Finds the start times of streams whose timestamps are not `stored`, in seconds by stream index. The library does not
 * know these start times, and reports that of another stream.
 *
 * @param reader - the same file, opened again. It is read no further than the first context has been read.
 */
export function findStartsFromDts(
  { streams, pbBytes }: FormatContext,
  reader: FormatContext,
  ptsSources: readonly PtsSource[],
): ReadonlyMap<number, number> {
  const streamsToDecode = streams.filter(
    ({ index }) => ptsSources[index] !== undefined && ptsSources[index] !== 'stored',
  );
  const starts = new Map<number, number>();
  readFirstPackets(
    reader,
    pbBytes,
    streamsToDecode.map(({ index }) => index),
    ({ streamIndex, dts }) => {
      const stream = streams[streamIndex];
      if (stream === undefined || dts === AV_NOPTS_VALUE) return true;
      const delay = stream.codecpar.videoDelay * frameSeconds(stream);
      starts.set(streamIndex, (ticksToSeconds(dts, stream.timeBase) ?? 0) + delay);
      return true;
    },
  );
  return starts;
}
