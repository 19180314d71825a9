import { Declined, decline } from '../binary/declined.ts';
import { type InputFile, openInputFile } from '../mp4/open-files.ts';
import { containerOf, planStreams, reportOf } from '../mp4/plan-tracks.ts';
import type { RemuxOutcome } from '../mp4/remux.ts';
import { refuseShort } from '../mp4/verify-complete.ts';
import type { Breath } from '../mp4/write-layout.ts';
import type { ProcessReport } from '../tasks/report.ts';
import type { ProcessTask } from '../tasks/task.ts';
import { packetBytes } from './demuxer.ts';
import { MediaWriter } from './media-writer.ts';
import { Result } from './mp4-result.ts';
import { StreamReader } from './stream-reader.ts';

/** Bytes that are read at once. */
const blockBytes = 5000 * packetBytes;

/** A file of which more and more is there. */
export interface GrowingFile {
  /** Bytes that are there, from its beginning and without a gap. */
  readonly bytes: number;
  /** Whether that is all. */
  readonly whole: boolean;
  /** Where the pieces end that it is put together from, as far as they are there. */
  readonly ends: readonly number[];
  /** Settles when it has so many bytes, or is whole. */
  reach(bytes: number): Promise<void>;
}

/**
 * Carries out an operation that copies the streams of a plain MPEG transport stream into an MP4 file, without the media
 * library and in one pass, while the file arrives. Whatever is not plain declines, and leaves nothing behind; the report
 * means what the engine's would.
 *
 * @param arriving - the file if it is still arriving.
 * @throws MillraceError `processing_failed` or `storage_failed` for a result that cannot be written.
 */
export async function remuxTransportStream(
  task: ProcessTask,
  arriving: GrowingFile | undefined,
  pace: Breath,
): Promise<RemuxOutcome> {
  const writer = new MediaWriter(task.output.path);
  let file: InputFile | undefined;
  try {
    const [input, ...others] = task.inputs;
    if (input === undefined || others.length > 0) decline('there are several inputs');
    if (input.followedBy !== undefined) decline('the input comes in several files');
    file = openInputFile(input.path);
    const growing = arriving ?? wholeFile(file.source.size, input.segments?.ends ?? []);
    return { report: await remux(task, file, growing, writer, pace) };
  } catch (error) {
    await writer.abandon();
    if (error instanceof Declined) return { declined: error.message };
    throw error;
  } finally {
    file?.close();
  }
}

function wholeFile(bytes: number, ends: readonly number[]): GrowingFile {
  return { bytes, whole: true, ends, reach: async () => undefined };
}

async function remux(
  task: ProcessTask,
  file: InputFile,
  growing: GrowingFile,
  writer: MediaWriter,
  pace: Breath,
): Promise<ProcessReport> {
  const container = containerOf(task);
  const { duration = 0, segments, jobInput = 0 } = task.inputs[0] ?? {};
  const result = new Result(writer, container);
  const reader = new StreamReader({
    segments,
    ends: growing.ends,
    output: writer,
    plan: (tracks) => planStreams([{ tracks }], task.operation, container, [jobInput]),
  });
  /**
   * Part of the file that was read up to a position, 0 to 1; 0 if nobody knows. The room for the index follows from it, so it
   * is by media time even when the whole file is there: the same input becomes the same bytes, however it arrives.
   */
  const share = (position: number) => {
    if (duration > 0) return Math.min(1, reader.seconds / duration);
    return growing.whole ? position / growing.bytes : 0;
  };
  const tracks = () => reader.copied().map(({ track, samples }) => ({ input: 0, track, samples }));
  const block = Buffer.allocUnsafeSlow(blockBytes);
  for (let position = 0; ; ) {
    await growing.reach(position + blockBytes);
    const length = Math.min(blockBytes, growing.bytes - position);
    if (length <= 0) break;
    if (length % packetBytes !== 0) decline('it ends inside a packet');
    file.read(block, 0, length, position);
    reader.read(block, length, position);
    position += length;
    await result.advance(share(position), reader.begun, tracks);
    if (pace.due) await pace.breathe(share(position));
  }
  reader.end();
  const overstated = reader.measures.verifySegments(jobInput);
  const figures = reader.measures.figures();
  const placed = await result.finish(tracks(), task.maxOutputBytes, (timings) => {
    const promised = { seconds: duration - overstated, why: 'its source promised more' };
    refuseShort(`Input ${jobInput + 1}`, timings, [promised], true);
  });
  const own = reader.copied().map(({ index }) => figures[index]);
  return reportOf(tracks(), placed.timings, placed.bytes, reader.plan.notes, [jobInput], own);
}
