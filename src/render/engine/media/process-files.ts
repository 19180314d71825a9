import { boundedNotes } from '../../../contract/notes.ts';
import { containerFormats, isOutputContainer } from '../formats/container-formats.ts';
import type { CueOrigin, ProcessReport, SourceStats, WrittenStream } from '../tasks/report.ts';
import type { ProcessTask } from '../tasks/task.ts';
import type { StreamStats } from '../timing/stream-stats.ts';
import type { SourceStream } from '../track-plan/source-stream.ts';
import { list } from '../track-plan/stream-messages.ts';
import type { TrackPlan } from '../track-plan/track.ts';
import { planTracks, withoutData } from '../track-plan/track-plan.ts';
import { type OpenInput, reportedKind } from './input/opened-input.ts';
import { lostDisplay } from './notes/lost-display.ts';
import { lostFlags } from './notes/lost-flags.ts';
import { lostInEncoding } from './notes/lost-in-encoding.ts';
import { outputNotes } from './notes/stream-notes.ts';
import { isDropped, type TrackOutput } from './output/track-output.ts';
import { createTrackSinks } from './output/track-sinks.ts';
import { type OutputStream, WriteError, Writer } from './output/writer.ts';
import { selectChapters } from './reading/input-chapters.ts';
import { metadataOf } from './reading/input-metadata.ts';
import { membersOf, openAll, readInputs } from './reading/read-inputs.ts';
import type { TaskContext } from './sink.ts';

/**
 * Carries out an operation on files.
 *
 * @throws MillraceError `incompatible_codecs`, `input_unreadable`, `input_incomplete`, `source_unsupported` or
 *   `processing_failed`.
 */
export async function processFiles(task: ProcessTask, taskContext: TaskContext): Promise<ProcessReport> {
  const { ext } = task.output;
  if (!isOutputContainer(ext)) throw new Error(`no container is called ${ext}`);
  const inputs = await openAll(task, taskContext);
  const trackPlan = planTracks(
    inputs.map(({ sources }) => sources),
    task.operation,
    ext,
  );
  try {
    return await writeResult(task, trackPlan, inputs, taskContext);
  } catch (error) {
    const lean = error instanceof WriteError ? withoutData(trackPlan) : undefined;
    if (lean === undefined) throw error;
    return await writeResult(task, lean, await openAll(task, taskContext), taskContext);
  }
}

async function writeResult(
  task: ProcessTask,
  trackPlan: TrackPlan,
  inputs: readonly OpenInput[],
  taskContext: TaskContext,
): Promise<ProcessReport> {
  const contents = list(trackPlan.tracks.flatMap(({ sources }) => sources));
  const { output, maxOutputBytes } = task;
  const writer = new Writer(
    containerFormats[trackPlan.container],
    output.path,
    maxOutputBytes,
    taskContext.libraryLog,
    contents,
  );
  try {
    return await writeWith(writer, task, trackPlan, inputs, taskContext);
  } catch (error) {
    if (error instanceof WriteError) writer.abandon();
    throw error;
  }
}

async function writeWith(
  writer: Writer,
  task: ProcessTask,
  trackPlan: TrackPlan,
  inputs: readonly OpenInput[],
  taskContext: TaskContext,
): Promise<ProcessReport> {
  const container = containerFormats[trackPlan.container];
  const { outputs, sinks } = await createTrackSinks(trackPlan, inputs, writer, taskContext);
  const members = membersOf(task, trackPlan, inputs, sinks);
  const chapterSelection = selectChapters(members, container);
  const lost = [
    ...lostDisplay(trackPlan.tracks, inputs, container),
    ...lostFlags(trackPlan.tracks, inputs, container),
    ...lostInEncoding(outputs, inputs, container),
  ];
  writer.describe(metadataOf(inputs[0]), chapterSelection.chapters);
  await writer.begin();
  const read = await readInputs(members, writer, taskContext);
  const sourceOf = ({ input, jobInput, index }: SourceStream): SourceStats => {
    const sink = sinks[input]?.get(index);
    const stats = withFewerPackets(read.stats.get(input)?.[index], sink?.overlapping?.() ?? 0);
    const [undecoded, mixed] = [sink?.undecoded?.() ?? 0, sink?.mixed?.()];
    return { file: input, input: jobInput, undecoded, ...(stats && { stats }), ...(mixed && { mixed }) };
  };
  writer.endCues();
  const written = outputs.filter((each) => !isDropped(each, container));
  const cuesOf = (
    { input, index }: SourceStream,
    { cues: { writtenCues, missing, moved } }: OutputStream,
  ): CueOrigin => {
    const cues = read.cues.get(input)?.[index];
    const parted = task.inputs[input]?.followedBy !== undefined;
    const origin = { file: input, missing, moved: moved || parted || inputs[input]?.jumps === true };
    return { ...origin, ...(cues && { read: cues }), ...(writtenCues && { writtenCues }) };
  };
  const streams = written.flatMap((each) => summary(each, sourceOf, cuesOf));
  const notes = [
    ...trackPlan.notes,
    ...outputNotes(outputs, container),
    ...chapterSelection.notes,
    ...lost,
    ...read.notes,
  ];
  return {
    streams,
    duration: Math.max(0, ...streams.map((stream) => stream.duration ?? 0)),
    ...(await writer.finish()),
    notes: boundedNotes(notes),
  };
}

function withFewerPackets(stats: StreamStats | undefined, count: number): StreamStats | undefined {
  if (stats?.packets === undefined || count === 0) return stats;
  return { ...stats, packets: stats.packets - count };
}

function summary(
  { track, output }: TrackOutput,
  sourceOf: (source: SourceStream) => SourceStats,
  cuesOf: (source: SourceStream, output: OutputStream) => CueOrigin,
): WrittenStream[] {
  const [source] = track.sources;
  const kind = source === undefined ? undefined : reportedKind(source);
  if (source === undefined || kind === undefined) return [];
  const codec = output.codec();
  if (kind === 'subtitle') {
    const cues = output.samples();
    return [{ kind, codec, ...(cues && { cues }), cueOrigin: cuesOf(source, output) }];
  }
  const origin = { action: track.action, sources: track.sources.map(sourceOf) };
  const stats = output.stats();
  return [{ kind, codec, origin, ...(stats === undefined ? {} : { stats, duration: stats.end - stats.first }) }];
}
