import { AVDISCARD_ALL } from 'node-av/constants';
import { type FormatContext, Packet, type Stream } from 'node-av/lib';
import { microsecondsToSeconds, ticksToSeconds } from '../timestamps.ts';
import { readFirstPackets } from './read-first-packets.ts';

/** Opens the same file again for the duration of a call. */
type Reopen = (use: (reader: FormatContext) => void) => void;

/**
 * Finds the start times of Matroska streams that begin after the data that was read to open the file. The library
 * reports the start time of the file for these. The file is read until the last of them begins.
 *
 * @param media - the video and audio streams that may have frames.
 * @returns Start times in seconds by stream index; undefined for streams without a packet.
 */
export function findLateStarts(
  context: FormatContext,
  media: readonly Stream[],
  reopen: Reopen,
): ReadonlyMap<number, number | undefined> {
  const late = findLateStreams(context, media, reopen);
  const starts = new Map<number, number | undefined>();
  if (late.size === 0) return starts;
  const otherStarts = context.streams.flatMap(({ index, startTime, timeBase }) => {
    return late.has(index) ? [] : (ticksToSeconds(startTime, timeBase) ?? []);
  });
  reopen((reader) => {
    // Discarded packets use no memory and do not count towards the read limit.
    for (const stream of reader.streams) if (!late.has(stream.index)) stream.discard = AVDISCARD_ALL;
    readUntilAllStart(reader, late);
    for (const { index, startTime, timeBase } of reader.streams) {
      if (!late.has(index)) continue;
      const start = ticksToSeconds(startTime, timeBase);
      // If a late stream appears to start before a stream that begins earlier, its start time comes from a restarted
      // clock.
      starts.set(index, start !== undefined && otherStarts.every((other) => start >= other) ? start : undefined);
    }
  });
  return starts;
}

function findLateStreams(context: FormatContext, media: readonly Stream[], reopen: Reopen): ReadonlySet<number> {
  const start = microsecondsToSeconds(context.startTime);
  const candidates = media.filter(({ startTime, timeBase }) => {
    const own = ticksToSeconds(startTime, timeBase);
    return own === undefined || (start !== undefined && Math.abs(own - start) < timeBase.num / timeBase.den);
  });
  const late = new Set(candidates.map(({ index }) => index));
  if (late.size === 0 || context.streams.length === 1) return new Set();
  reopen((reader) => {
    readFirstPackets(reader, context.pbBytes, [...late], ({ streamIndex }) => late.delete(streamIndex));
  });
  return late;
}

function readUntilAllStart(reader: FormatContext, late: ReadonlySet<number>): void {
  const remaining = new Set(late);
  const packet = new Packet();
  packet.alloc();
  while (remaining.size > 0 && reader.readFrameSync(packet) >= 0) {
    remaining.delete(packet.streamIndex);
    packet.unref();
  }
  packet.free();
}
