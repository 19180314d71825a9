import { AVDISCARD_ALL } from 'node-av/constants';
import { type FormatContext, Packet, type Stream } from 'node-av/lib';
import { secondsOf, toSeconds } from '../timestamps.ts';
import { readFirstPackets } from './read-first-packets.ts';

/** Opens the same file once more, for as long as the function runs. */
type Open = (read: (reader: FormatContext) => void) => void;

/**
 * When the streams of a Matroska file begin that begin after what was read to open it: for those, the library reports the
 * time at which the file begins. The file is read as far as the last of them begins.
 *
 * @param media - the streams of video and audio that may have frames.
 * @returns Seconds by the streams' indexes; undefined for streams without a packet.
 */
export function findLateStarts(
  context: FormatContext,
  media: readonly Stream[],
  open: Open,
): ReadonlyMap<number, number | undefined> {
  const late = lateStreams(context, media, open);
  const starts = new Map<number, number | undefined>();
  if (late.size === 0) return starts;
  const otherStarts = context.streams.flatMap(({ index, startTime, timeBase }) => {
    return late.has(index) ? [] : (secondsOf(startTime, timeBase) ?? []);
  });
  open((reader) => {
    // What is discarded neither fills memory nor counts towards what may be read.
    for (const stream of reader.streams) if (!late.has(stream.index)) stream.discard = AVDISCARD_ALL;
    readUntilBegun(reader, late);
    for (const { index, startTime, timeBase } of reader.streams) {
      if (!late.has(index)) continue;
      const start = secondsOf(startTime, timeBase);
      // An earlier time than that of a stream which begins before it is of a clock that has restarted.
      starts.set(index, start !== undefined && otherStarts.every((other) => start >= other) ? start : undefined);
    }
  });
  return starts;
}

function lateStreams(context: FormatContext, media: readonly Stream[], open: Open): ReadonlySet<number> {
  const start = toSeconds(context.startTime);
  const doubtful = media.filter(({ startTime, timeBase }) => {
    const own = secondsOf(startTime, timeBase);
    return own === undefined || (start !== undefined && Math.abs(own - start) < timeBase.num / timeBase.den);
  });
  const late = new Set(doubtful.map(({ index }) => index));
  if (late.size === 0 || context.streams.length === 1) return new Set();
  open((reader) => {
    readFirstPackets(reader, context.pbBytes, [...late], ({ streamIndex }) => late.delete(streamIndex));
  });
  return late;
}

function readUntilBegun(reader: FormatContext, late: ReadonlySet<number>): void {
  const left = new Set(late);
  const packet = new Packet();
  packet.alloc();
  while (left.size > 0 && reader.readFrameSync(packet) >= 0) {
    left.delete(packet.streamIndex);
    packet.unref();
  }
  packet.free();
}
