import { AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants';
import { Packet } from 'node-av/lib';
import type { ClipCutter } from '../clip/clip-cutter.ts';
import type { GrowingFile } from '../input/growing-file.ts';
import type { MediaInput } from '../input/media-input.ts';
import type { Writer } from '../output/result-writer.ts';
import type { Sink, TaskContext } from '../sink.ts';
import type { DamageObserver } from './damage-observer.ts';
import type { InputClock } from './input-clock.ts';
import { maxIdleReads, type SegmentVerifier } from './segment-verifier.ts';
import type { StreamOrder } from './stream-order.ts';

/** A file of an input, with the destinations of its packets. */
export interface PartReader {
  readonly input: MediaInput;
  /** Duration of the whole input, with all its files, in seconds; 0 if unknown. */
  readonly duration: number;
  /** Whether it is the last file of the input. */
  readonly isLast: boolean;
  readonly clock: InputClock;
  readonly order: StreamOrder;
  readonly sinks: ReadonlyMap<number, Sink>;
  /** Which of its streams are read. */
  readonly readStreams: readonly boolean[];
  /** Finds parts of the file that are damaged. */
  readonly damage: DamageObserver;
  /** Measures the segments of a playlist. */
  readonly segments: SegmentVerifier | undefined;
  /** Set if the result is a clip. */
  readonly cutter: ClipCutter | undefined;
  /** Whether the part before the clip is not read. */
  readonly isSeeked: boolean;
  /** Whether the rest of the file is not read, because the clip has ended. */
  isCutShort?: boolean;
  /** Set while the file is still growing. */
  growingFile: GrowingFile | undefined;
  /** Read position in the file while it is growing. */
  position?: number;
  /** Result code of the read at its end. */
  endCode?: number;
}

/**
 * Reads all packets, always from the input that is furthest behind, so that the result is well interleaved.
 *
 * @param startNext - called when a file has been read; returns the files to read next.
 * @throws MillraceError of the writer, of `startNext`, or `input_incomplete` if an incomplete segment is the cause.
 */
export async function pump(
  first: readonly PartReader[],
  startNext: (ended: PartReader) => Promise<readonly PartReader[]>,
  writer: Pick<Writer, 'failed' | 'check'>,
  taskContext: TaskContext,
): Promise<void> {
  const activeReaders = new Set(first);
  try {
    await moveAll(first, activeReaders, startNext, writer, taskContext);
  } catch (error) {
    // A truncated segment may end in the middle of a packet, which cannot be written or decoded.
    for (const { segments, growingFile } of activeReaders) {
      if (growingFile === undefined) segments?.verifyRest();
    }
    throw error;
  }
}

async function moveAll(
  first: readonly PartReader[],
  activeReaders: Set<PartReader>,
  startNext: (ended: PartReader) => Promise<readonly PartReader[]>,
  writer: Pick<Writer, 'failed' | 'check'>,
  { pacer }: TaskContext,
): Promise<void> {
  const packet = new Packet();
  packet.alloc();
  const readers = [...first];
  let idleReads = 0;
  while (activeReaders.size > 0) {
    const reader = furthestBehind(activeReaders);
    const arrival = waitForArrival(reader);
    if (arrival !== undefined) await arrival;
    const result = reader.input.readPacket(packet);
    if (reader.growingFile !== undefined) {
      reader.position = positionOf(reader);
      reader.growingFile.verify(reader.position, reader.input.name);
    }
    if (result === AVERROR_EAGAIN && idleReads < maxIdleReads) {
      idleReads += 1;
    } else if (result < 0 || endsEarly(reader)) {
      packet.unref();
      reader.endCode = result < 0 ? result : AVERROR_EOF;
      reader.isCutShort = result >= 0;
      activeReaders.delete(reader);
      for (const next of await startNext(reader)) {
        readers[next.input.inputIndex] = next;
        activeReaders.add(next);
      }
    } else {
      idleReads = 0;
      // A demuxer that skips a stream may already have buffered some of its packets.
      const { streamIndex } = packet;
      reader.order.add(streamIndex);
      // An empty packet, which FLV uses for headers, has nothing to copy and would end a decoder.
      if (reader.readStreams[streamIndex] === true && packet.size > 0) {
        reader.damage.add(packet, streamIndex, reader.clock.position);
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

/**
 * Returns whether the rest of a file is not needed for a clip. The segments of a playlist are read to their end, because
 * each is compared with its declaration.
 */
function endsEarly({ cutter, segments, sinks, clock }: PartReader): boolean {
  return segments === undefined && cutter?.isPast(sinks.values(), clock.position) === true;
}

/**
 * Returns a promise to wait for before the next read; undefined if the read can begin, which is nearly always the case.
 */
function waitForArrival(reader: PartReader): Promise<void> | undefined {
  const { growingFile } = reader;
  if (growingFile === undefined) return undefined;
  const { position = positionOf(reader) } = reader;
  if (growingFile.whole) reader.growingFile = undefined;
  return growingFile.canReadAt(position) ? undefined : growingFile.waitUntilReadable(position);
}

/** Returns the number of bytes of an input that have been read. */
function positionOf({ input }: PartReader): number {
  return Number(input.context.pbBytes);
}

function furthestBehind(readers: ReadonlySet<PartReader>): PartReader {
  let earliest: PartReader | undefined;
  for (const reader of readers) {
    if (earliest === undefined || reader.clock.position < earliest.clock.position) earliest = reader;
  }
  if (earliest === undefined) throw new Error('there is no input left');
  return earliest;
}

/** Returns the fraction of the inputs that was read, by media time, or by bytes if their duration is unknown. */
function progress(readers: readonly PartReader[]): number {
  return Math.min(
    ...readers.map(({ input, clock, duration, endCode, isLast, isCutShort }) => {
      // A clip begins at 0.
      const position = Math.max(0, clock.position);
      if (endCode !== undefined) return isLast || isCutShort === true ? 1 : position / duration;
      return duration > 0 ? position / duration : Number(input.context.pbBytes) / input.bytes;
    }),
  );
}
