import { AVERROR_EAGAIN } from 'node-av/constants';
import { Packet } from 'node-av/lib';
import type { GrowingFile } from '../input/growing-file.ts';
import type { OpenInput } from '../input/opened-input.ts';
import type { Writer } from '../output/writer.ts';
import type { Sink, TaskContext } from '../sink.ts';
import type { InputClock } from './input-clock.ts';
import { maxIdleReads, type SegmentReader } from './segment-reader.ts';

/** A file of an input, with where its packets go. */
export interface Reader {
  readonly input: OpenInput;
  /** Duration of the whole input, with all its files, in seconds; 0 if unknown. */
  readonly length: number;
  /** Whether no other file of the input follows. */
  readonly last: boolean;
  readonly clock: InputClock;
  readonly sinks: ReadonlyMap<number, Sink>;
  /** Which of its streams are read. */
  readonly read: readonly boolean[];
  /** Measures the segments of a playlist. */
  readonly segments: SegmentReader | undefined;
  /** Set while not all of it is there yet. */
  growing: GrowingFile | undefined;
  /** Where reading stands in the file while it arrives. */
  position?: number;
  /** What reading it returned at its end. */
  ended?: number;
}

/**
 * Moves all packets, always from the input that is furthest behind, so that the result is well interleaved.
 *
 * @param follow - called when a file has been read; returns the files to be read next.
 * @throws MillraceError of the writer, of `follow`, or `input_incomplete` if a segment is the reason.
 */
export async function pump(
  first: readonly Reader[],
  follow: (ended: Reader) => Promise<readonly Reader[]>,
  writer: Writer,
  taskContext: TaskContext,
): Promise<void> {
  const live = new Set(first);
  try {
    await moveAll(first, live, follow, writer, taskContext);
  } catch (error) {
    // A segment that breaks off may end in half a packet, which cannot be written or decoded.
    for (const { segments, growing } of live) {
      if (growing === undefined) segments?.explain();
    }
    throw error;
  }
}

async function moveAll(
  first: readonly Reader[],
  live: Set<Reader>,
  follow: (ended: Reader) => Promise<readonly Reader[]>,
  writer: Writer,
  { pacer }: TaskContext,
): Promise<void> {
  const packet = new Packet();
  packet.alloc();
  const readers = [...first];
  let idle = 0;
  while (live.size > 0) {
    const reader = furthestBehind(live);
    const arrival = waitForArrival(reader);
    if (arrival !== undefined) await arrival;
    const got = reader.input.read(packet);
    if (reader.growing !== undefined) {
      reader.position = positionOf(reader);
      reader.growing.verify(reader.position, reader.input.name);
    }
    if (got === AVERROR_EAGAIN && idle < maxIdleReads) {
      idle += 1;
    } else if (got < 0) {
      reader.ended = got;
      live.delete(reader);
      for (const next of await follow(reader)) {
        readers[next.input.at] = next;
        live.add(next);
      }
    } else {
      idle = 0;
      // A demuxer that was told to skip a stream may have some of it at hand already.
      const { streamIndex } = packet;
      // An empty packet (FLV uses them for headers) has nothing to copy, and would end a decoder.
      if (reader.read[streamIndex] === true && packet.size > 0) {
        reader.clock.correct(packet, streamIndex);
        reader.segments?.add(packet, streamIndex);
        reader.sinks.get(streamIndex)?.push(packet);
      }
      packet.unref();
    }
    if (writer.failed) await writer.check();
    if (pacer.shouldReport) await pacer.reportAndYield(progress(readers));
  }
}

/** What to wait for before the next read; nothing where it can begin, which is nearly always. */
function waitForArrival(reader: Reader): Promise<void> | undefined {
  const { growing } = reader;
  if (growing === undefined) return undefined;
  const { position = positionOf(reader) } = reader;
  if (growing.whole) reader.growing = undefined;
  return growing.allows(position) ? undefined : growing.reachReadable(position);
}

/** Bytes of an input that have been read. */
function positionOf({ input }: Reader): number {
  return Number(input.context.pbBytes);
}

function furthestBehind(readers: ReadonlySet<Reader>): Reader {
  let earliest: Reader | undefined;
  for (const reader of readers) {
    if (earliest === undefined || reader.clock.position < earliest.clock.position) earliest = reader;
  }
  if (earliest === undefined) throw new Error('there is no input left');
  return earliest;
}

/** Part of the inputs that was read, by media time, or by bytes where their length is unknown. */
function progress(readers: readonly Reader[]): number {
  return Math.min(
    ...readers.map(({ input, clock, length, ended, last }) => {
      if (ended !== undefined) return last ? 1 : clock.position / length;
      return length > 0 ? clock.position / length : Number(input.context.pbBytes) / input.bytes;
    }),
  );
}
