import { decline, FastPathDeclined } from '../binary/fast-path-declined.ts';
import { type InputFile, openInputFile } from '../mp4/open-files.ts';
import { buildReport, containerOf, planMp4Tracks } from '../mp4/plan-tracks.ts';
import { namedFile, refuseShortDuration } from '../mp4/refuse-incomplete.ts';
import type { RemuxOutcome } from '../mp4/remux.ts';
import { withLanguage } from '../mp4/track-language.ts';
import type { Pacer } from '../mp4/write-layout.ts';
import { noAdditions, type RequestedAdditions } from '../tasks/additions.ts';
import type { ProcessReport } from '../tasks/report.ts';
import type { ProcessTask } from '../tasks/task.ts';
import { packetBytes } from './demuxer.ts';
import { MediaWriter } from './media-writer.ts';
import { Mp4Result } from './mp4-result.ts';
import { StreamReader } from './stream-reader.ts';

/** Bytes per read. */
const blockBytes = 5000 * packetBytes;

/** A transport stream that may still be arriving. */
export interface GrowingTransportStream {
  /** Number of contiguous bytes that are available from the beginning. */
  readonly bytes: number;
  /** Whether the file is complete. */
  readonly whole: boolean;
  /** Ends of its segments, as far as they have arrived. */
  readonly ends: readonly number[];
  /** Resolves when the given number of bytes is available, or the file is complete. */
  waitForBytes(bytes: number): Promise<void>;
}

/**
 * Carries out an operation that copies the streams of a plain MPEG transport stream into an MP4 file, in one pass and
 * without the media library, even while the file is still arriving. Unusual files are declined and leave no output. The
 * report has the same meaning as the engine's.
 *
 * @param growingFile - the file if it is still arriving.
 * @throws MillraceError `processing_failed` or `storage_failed` for a result that cannot be written.
 */
export async function remuxTransportStream(
  task: ProcessTask,
  growingFile: GrowingTransportStream | undefined,
  pacer: Pacer,
  additions: RequestedAdditions = noAdditions,
): Promise<RemuxOutcome> {
  const writer = new MediaWriter(task.output.path);
  let file: InputFile | undefined;
  try {
    const [input, ...others] = task.inputs;
    if (input === undefined || others.length > 0) decline('there are several inputs');
    if (input.followedBy !== undefined) decline('the input consists of several files');
    if (task.clip !== undefined) decline('the result is a clip');
    file = openInputFile(input.path);
    const transportStream = growingFile ?? wholeFile(file.source.size, input.segments?.ends ?? []);
    return { report: await remux(task, file, transportStream, writer, pacer, additions) };
  } catch (error) {
    await writer.abandon();
    if (error instanceof FastPathDeclined) return { declined: error.message };
    throw error;
  } finally {
    file?.close();
  }
}

function wholeFile(bytes: number, ends: readonly number[]): GrowingTransportStream {
  return { bytes, whole: true, ends, waitForBytes: async () => undefined };
}

async function remux(
  task: ProcessTask,
  file: InputFile,
  transportStream: GrowingTransportStream,
  writer: MediaWriter,
  pacer: Pacer,
  additions: RequestedAdditions,
): Promise<ProcessReport> {
  const container = containerOf(task);
  const { duration = 0, segments, jobInput = 0, language } = task.inputs[0] ?? {};
  const result = new Mp4Result(writer, container, { chapters: [], ...additions });
  const reader = new StreamReader({
    segments,
    segmentEnds: transportStream.ends,
    output: writer,
    planTracks: (tracks) => planMp4Tracks([{ tracks }], task.operation, container, [jobInput]),
  });
  /**
   * Returns the fraction of the file that was read up to an offset, 0 to 1; 0 if unknown. It determines the space for
   * the index. It is based on media time even if the whole file is available, so that the same input always produces
   * the same bytes.
   */
  const fractionRead = (position: number) => {
    if (duration > 0) return Math.min(1, reader.seconds / duration);
    return transportStream.whole ? position / transportStream.bytes : 0;
  };
  const tracks = () => {
    return reader.copiedStreams().map(({ track, samples }) => {
      return { input: 0, track: withLanguage(track, language), samples };
    });
  };
  const block = Buffer.allocUnsafeSlow(blockBytes);
  for (let position = 0; ; ) {
    await transportStream.waitForBytes(position + blockBytes);
    const length = Math.min(blockBytes, transportStream.bytes - position);
    if (length <= 0) break;
    if (length % packetBytes !== 0) decline('it ends inside a packet');
    file.read(block, 0, length, position);
    reader.read(block, length, position);
    position += length;
    await result.advance(fractionRead(position), reader.hasStarted, tracks);
    // While it waits for more of the file, nothing else would report what was read since the last report.
    const waits = !transportStream.whole && transportStream.bytes < position + blockBytes;
    if (pacer.shouldReport || waits) await pacer.reportAndYield(fractionRead(position));
  }
  reader.end();
  const overstatedSeconds = reader.packetStats.verifySegments(jobInput);
  const stats = reader.packetStats.stats();
  const output = await result.finish(tracks(), task.maxOutputBytes, (timings) => {
    const expectedDuration = { seconds: duration - overstatedSeconds, why: 'its source declared a longer duration' };
    refuseShortDuration(namedFile(jobInput, false), timings, [expectedDuration], true);
  });
  const copiedStats = reader.copiedStreams().map(({ index }) => stats[index]);
  const report = buildReport(tracks(), output.timings, output.bytes, reader.trackPlan.notes, [jobInput], copiedStats);
  return { ...report, ...output.reported };
}
