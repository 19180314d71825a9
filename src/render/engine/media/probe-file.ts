import { AVERROR_EAGAIN, AVSEEK_FLAG_BACKWARD } from 'node-av/constants';
import { Packet } from 'node-av/lib';
import { readAdditions } from '../additions/read-additions.ts';
import { readChapters } from '../additions/read-chapters.ts';
import { withFile } from '../binary/byte-source.ts';
import { isoFormat } from '../formats/demuxer-names.ts';
import { frameHeadBytes, isFirstFrame } from '../formats/first-frame.ts';
import { readSampleTableStats } from '../mp4/sample-table-stats.ts';
import type { StoredAdditions } from '../tags/stored-additions.ts';
import { digestAdditions } from '../tasks/digest-additions.ts';
import type { ProbeReport, StreamSummary } from '../tasks/report.ts';
import type { ProbeTask } from '../tasks/task.ts';
import type { CueStats } from '../timing/cue-stats.ts';
import type { StreamStats } from '../timing/stream-stats.ts';
import { isContinuous, type MediaInput, reportedKind } from './input/media-input.ts';
import { readCover } from './input/open-file.ts';
import { openInput } from './input/open-input.ts';
import { createClocks, type InputClock } from './reading/input-clock.ts';
import { tagsOfInput } from './reading/input-metadata.ts';
import { type ReadResult, verifyComplete } from './reading/verify-complete.ts';
import type { TaskContext } from './sink.ts';
import { microsecondsToSeconds } from './timestamps.ts';

/** Demuxers whose files have an index, so that the end can be found without reading the data before it. */
const indexedDemuxers = new Set([isoFormat, 'matroska,webm']);
/**
 * Number of seconds that are read at the end (`tailSeconds`) and at the beginning (`headSeconds`) of an indexed file.
 * At the beginning, reordered frames may be displayed before the first frame in the file. If a stream has not started
 * within `headSeconds`, `tailSeconds` are read at the beginning as well.
 */
const tailSeconds = 10;
const headSeconds = 2;

/**
 * Reads a finished file: its streams, the timing of their packets, and whether their last packets are present. Files
 * without an index are read completely. The sample tables of MP4 and QuickTime list every packet. Of Matroska and WebM,
 * only the beginning and the end are read. Reading the rest would take half as long as writing the file, and the
 * muxer's own statistics cover it. If a stream begins after the part read at the beginning, the file is read
 * completely.
 *
 * @throws MillraceError `input_unreadable`, or `input_incomplete` when it ends before its declared duration.
 */
export async function probeFile(task: ProbeTask, taskContext: TaskContext): Promise<Omit<ProbeReport, 'notes'>> {
  const input = await openInput({ path: task.path }, 0, 'The file', taskContext.libraryLog);
  const readResult = await readFile(input, taskContext);
  verifyComplete(readResult);
  const tables = input.format === isoFormat ? withFile(task.path, readSampleTableStats) : undefined;
  const streams = input.sources.flatMap((source): StreamSummary[] => {
    const { codec, index } = source;
    const kind = reportedKind(source);
    if (kind === undefined) return [];
    const table = tables?.get(input.streams[index]?.id ?? 0);
    if (!isContinuous(input, index)) {
      const cues = input.format === isoFormat ? table?.cues : readResult.cues[index];
      return [{ kind, codec, ...(cues && { cues }) }];
    }
    const extent = readResult.extents[index];
    const stats = table?.stats ?? readResult.stats[index];
    const duration = extent === undefined ? {} : { duration: extent.end - extent.first };
    const beginsDecodable = kind === 'video' ? readResult.beginsDecodable.get(index) : undefined;
    return [
      { kind, codec, ...duration, ...(stats && { stats }), ...(beginsDecodable !== undefined && { beginsDecodable }) },
    ];
  });
  return {
    streams,
    duration: Math.max(0, ...streams.map((stream) => stream.duration ?? 0)),
    bytes: input.bytes,
    ...digestAdditions(readStoredAdditions(input), readChapters(input.path, input.format).chapters.length),
  };
}

/** Returns the tags and the cover of a file. The media library reads those of Matroska and WebM. */
function readStoredAdditions(input: MediaInput): StoredAdditions {
  const stored = readAdditions(input.path, input.format);
  if (stored !== undefined) return stored;
  const coverStream = input.sources.find((source) => source.cover);
  const cover = coverStream === undefined ? undefined : readCover(input, coverStream.index);
  return { tags: tagsOfInput(input), ...(cover === undefined ? {} : { cover }) };
}

/** Seeks to a time; returns whether that succeeded. */
function seekTo({ context }: MediaInput, seconds: number): boolean {
  const start = microsecondsToSeconds(context.startTime) ?? 0;
  return context.seekFrameSync(-1, BigInt(Math.floor((start + seconds) * 1_000_000)), AVSEEK_FLAG_BACKWARD) >= 0;
}

/** The result of reading a whole file, with the statistics of its streams. */
interface FileReadResult extends ReadResult {
  readonly stats: readonly (StreamStats | undefined)[];
  /** Whether a decoder can begin with the first packet of a stream; absent if the packet does not tell. */
  readonly beginsDecodable: ReadonlyMap<number, boolean | undefined>;
  /** Cues of its streams; absent if the file was not read completely. */
  readonly cues: readonly (CueStats | undefined)[];
}

/**
 * Reads a file to its end. Skips the middle of an indexed file unless a stream begins there, because the header only
 * estimates the timing of such a stream.
 */
async function readFile(input: MediaInput, taskContext: TaskContext): Promise<FileReadResult> {
  const seconds = microsecondsToSeconds(input.context.duration) ?? 0;
  const media = input.streams.filter(({ index }) => isContinuous(input, index));
  const headClock = createClock(input);
  const beginsDecodable = new Map<number, boolean | undefined>();
  const allStarted = () => media.every(({ index }) => beginsDecodable.has(index));
  const canSkipMiddle = indexedDemuxers.has(input.format) && seconds > 3 * tailSeconds;
  let endCode = await readPackets(input, headClock, seconds, taskContext, (packet) => {
    const { streamIndex } = packet;
    if (!beginsDecodable.has(streamIndex)) beginsDecodable.set(streamIndex, isDecodableFirst(input, packet));
    return !canSkipMiddle || headClock.position < (allStarted() ? headSeconds : tailSeconds);
  });
  const skipped = endCode >= 0 && allStarted() && seekTo(input, seconds - tailSeconds);
  const tailClock = skipped ? createClock(input) : headClock;
  if (endCode >= 0) endCode = await readPackets(input, tailClock, seconds, taskContext, () => true);
  const common = {
    input,
    beginsDecodable,
    endCode,
    origin: tailClock.origin,
    readStreams: input.streams.map(() => true),
  };
  const extents = input.streams.map(({ index }) => tailClock.extent(index));
  const cues = skipped || !indexedDemuxers.has(input.format) ? [] : tailClock.cues.map((counter) => counter?.stats());
  if (!skipped) return { ...common, extents, stats: tailClock.stats.all(), cues };
  const tailStats = tailClock.stats.all();
  return {
    ...common,
    cues,
    extents: extents.map((extent, stream) => {
      const first = headClock.extent(stream)?.first;
      if (first === undefined) return extent;
      if (extent !== undefined) return { first, end: extent.end };
      // For a stream that ended before the tail, the header's duration is used.
      const duration = input.streamDurations[stream];
      return duration === undefined ? undefined : { first, end: first + duration };
    }),
    stats: headClock.stats.all().map((from, stream) => {
      const to = tailStats[stream];
      if (from === undefined || to === undefined) return undefined;
      return { first: from.first, last: to.last, end: to.end, jumps: 0 };
    }),
  };
}

/** Returns whether a decoder can begin with the first packet of a stream; undefined if the packet does not tell. */
function isDecodableFirst({ sources, streams }: MediaInput, { streamIndex, data }: Packet): boolean | undefined {
  const source = sources.find(({ index }) => index === streamIndex);
  if (source?.kind !== 'video' || data === null) return undefined;
  const extradata = streams[streamIndex]?.codecpar.extradata ?? Buffer.alloc(0);
  return isFirstFrame(source.codec, extradata, data.subarray(0, frameHeadBytes));
}

/** Creates the clock of a file that this service wrote, whose timestamps never jump. */
function createClock(input: MediaInput): InputClock {
  const [clock] = createClocks([{ ...input, mayJump: false }], [new Set(input.streams.map(({ index }) => index))]);
  if (clock === undefined) throw new Error('an input has no clock');
  return clock;
}

/**
 * Reads packets while `shouldContinue`, called with each, returns true.
 *
 * @returns The result code of the last read.
 */
async function readPackets(
  input: MediaInput,
  clock: InputClock,
  seconds: number,
  { pacer }: TaskContext,
  shouldContinue: (packet: Packet) => boolean,
): Promise<number> {
  const packet = new Packet();
  packet.alloc();
  for (let idle = 0; idle < 1000; ) {
    const result = input.readPacket(packet);
    if (result < 0 && result !== AVERROR_EAGAIN) return result;
    idle = result < 0 ? idle + 1 : 0;
    if (result >= 0) {
      clock.correct(packet, packet.streamIndex);
      const continues = shouldContinue(packet);
      packet.unref();
      if (!continues) return result;
    }
    if (pacer.shouldReport) await pacer.reportAndYield(seconds > 0 ? clock.position / seconds : 0);
  }
  return AVERROR_EAGAIN;
}
