import { AV_NOPTS_VALUE } from 'node-av/constants';
import type { FormatContext } from 'node-av/lib';
import { secondsOf } from '../timestamps.ts';
import { frameSeconds, type PictureTimes } from './picture-times.ts';
import { readFirstPackets } from './read-first-packets.ts';

/**
 * Seconds at which streams begin whose times are not `stored`, by their index. The library does not know these, and
 * reports the time at which another stream begins.
 *
 * @param reader - the same file, opened once more. It is read no further than the first one was.
 */
export function decodedStarts(
  { streams, pbBytes }: FormatContext,
  reader: FormatContext,
  times: readonly PictureTimes[],
): ReadonlyMap<number, number> {
  const streamsToDecode = streams.filter(({ index }) => times[index] !== undefined && times[index] !== 'stored');
  const starts = new Map<number, number>();
  readFirstPackets(
    reader,
    pbBytes,
    streamsToDecode.map(({ index }) => index),
    ({ streamIndex, dts }) => {
      const stream = streams[streamIndex];
      if (stream === undefined || dts === AV_NOPTS_VALUE) return true;
      const waits = stream.codecpar.videoDelay * frameSeconds(stream);
      starts.set(streamIndex, (secondsOf(dts, stream.timeBase) ?? 0) + waits);
      return true;
    },
  );
  return starts;
}
