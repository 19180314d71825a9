import { AVERROR_EAGAIN, AVSEEK_FLAG_BACKWARD } from 'node-av/constants';
import { Packet } from 'node-av/lib';
import { readChapters } from '../chapters/read-chapters.ts';
import type { ProbeReport, ProbeTask, StreamSummary } from '../engine.ts';
import { createClocks } from './clock.ts';
import { verifyComplete } from './complete.ts';
import { isContinuous, type OpenInput, openInput, shownKind } from './open.ts';
import type { Workbench } from './sink.ts';
import { secondsOf, toSeconds } from './time.ts';

/** Demuxers whose files have an index, so that the end can be found without reading what stands before. */
const indexed = new Set(['mov,mp4,m4a,3gp,3g2,mj2', 'matroska,webm']);
/** Seconds at the end that are read of an indexed file. */
const tail = 10;

/**
 * Reads a finished file: its streams, and whether their last packets are there.
 *
 * @throws MillraceError `input_unreadable`, or `input_incomplete` when it ends before its header says so.
 */
export async function probeFile(task: ProbeTask, bench: Workbench): Promise<Omit<ProbeReport, 'notes'>> {
  const input = await openInput({ path: task.path }, 0, 'The file', bench.words);
  const seconds = toSeconds(input.context.duration) ?? 0;
  const skipped = indexed.has(input.format) && seconds > 3 * tail && seekTo(input, seconds - tail);
  const reading = await readToEnd(input, bench, seconds, skipped);
  verifyComplete(reading);
  const streams = input.sources.flatMap((source): StreamSummary[] => {
    const { codec, index } = source;
    const kind = shownKind(source);
    if (kind === undefined) return [];
    const extent = reading.extents[index];
    const duration = extent === undefined || !isContinuous(input, index) ? undefined : extent.end - extent.first;
    return [{ kind, codec, ...(duration === undefined ? {} : { duration }) }];
  });
  return {
    streams,
    duration: Math.max(0, ...streams.map((stream) => stream.duration ?? 0)),
    bytes: input.bytes,
    chapters: readChapters(input.path, input.format).chapters.length,
  };
}

/** Whether the file could be wound forward. */
function seekTo({ context }: OpenInput, seconds: number): boolean {
  const start = toSeconds(context.startTime) ?? 0;
  return context.seekFrameSync(-1, BigInt(Math.floor((start + seconds) * 1_000_000)), AVSEEK_FLAG_BACKWARD) >= 0;
}

async function readToEnd(input: OpenInput, { pace }: Workbench, seconds: number, skipped: boolean) {
  const [clock] = createClocks([input], [new Set(input.streams.map(({ index }) => index))]);
  if (clock === undefined) throw new Error('an input has no clock');
  const packet = new Packet();
  packet.alloc();
  let ended = AVERROR_EAGAIN;
  for (let idle = 0; idle < 1000; idle += 1) {
    ended = input.context.readFrameSync(packet) as typeof ended;
    if (ended < 0 && ended !== AVERROR_EAGAIN) break;
    if (ended >= 0) {
      idle = 0;
      clock.correct(packet, packet.streamIndex);
      packet.unref();
    }
    if (pace.due) await pace.breathe(seconds > 0 ? clock.position / seconds : 0);
  }
  const extents = input.streams.map((stream) => {
    const read = clock.extent(stream.index);
    if (!skipped) return read;
    // What was passed over begins where the header says; a stream that is over by then is as long as the header says.
    const first = (secondsOf(stream.startTime, stream.timeBase) ?? 0) + clock.origin;
    if (read !== undefined) return { first: Math.min(first, read.first), end: read.end };
    const duration = input.streamDurations[stream.index];
    return duration === undefined ? undefined : { first, end: first + duration };
  });
  return { input, ended, extents, origin: clock.origin, read: input.streams.map(() => true) };
}
