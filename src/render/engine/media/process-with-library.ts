import { limitNotes } from '../../../contract/output-notes.ts';
import { containerFormats, isOutputContainer } from '../formats/container-formats.ts';
import type { CueOrigin, ProcessReport, SourceStats, WrittenStream } from '../tasks/report.ts';
import type { ProcessTask } from '../tasks/task.ts';
import type { StreamStats } from '../timing/stream-stats.ts';
import type { SourceStream } from '../track-plan/source-stream.ts';
import { streamList } from '../track-plan/stream-messages.ts';
import type { TrackPlan } from '../track-plan/track.ts';
import { planTracks, withoutDataTracks } from '../track-plan/track-plan.ts';
import { type MediaInput, reportedKind } from './input/media-input.ts';
import { displayLossNotes } from './notes/display-loss-notes.ts';
import { encodingLossNotes } from './notes/encoding-loss-notes.ts';
import { flagLossNotes } from './notes/flag-loss-notes.ts';
import { outputNotes } from './notes/stream-notes.ts';
import { type OutputStream, WriteError, Writer } from './output/result-writer.ts';
import { isDropped, type TrackOutput } from './output/track-output.ts';
import { createTrackSinks } from './output/track-sinks.ts';
import { selectChapters } from './reading/input-chapters.ts';
import { metadataOf } from './reading/input-metadata.ts';
import { createMembers, openInputs, readInputs } from './reading/read-inputs.ts';
import type { TaskContext } from './sink.ts';

/**
 * Carries out an operation on files with the media library.
 *
 * @throws MillraceError `incompatible_codecs`, `input_unreadable`, `input_incomplete`, `source_unsupported` or
 * `processing_failed`.
 */
export async function processWithLibrary(task: ProcessTask, taskContext: TaskContext): Promise<ProcessReport> {
  const { ext } = task.output;
  if (!isOutputContainer(ext)) throw new Error(`unknown container ${ext}`);
  const inputs = await openInputs(task, taskContext);
  const trackPlan = planTracks(
    inputs.map(({ sources }) => sources),
    task.operation,
    ext,
  );
  try {
    return await writeResult(task, trackPlan, inputs, taskContext);
  } catch (error) {
    const planWithoutData = error instanceof WriteError ? withoutDataTracks(trackPlan) : undefined;
    if (planWithoutData === undefined) throw error;
    return await writeResult(task, planWithoutData, await openInputs(task, taskContext), taskContext);
  }
}

async function writeResult(
  task: ProcessTask,
  trackPlan: TrackPlan,
  inputs: readonly MediaInput[],
  taskContext: TaskContext,
): Promise<ProcessReport> {
  const contents = streamList(trackPlan.tracks.flatMap(({ sources }) => sources));
  const { output, maxOutputBytes } = task;
  const writer = new Writer(
    containerFormats[trackPlan.container],
    output.path,
    maxOutputBytes,
    taskContext.libraryLog,
    contents,
  );
  try {
    return await processStreams(writer, task, trackPlan, inputs, taskContext);
  } catch (error) {
    if (error instanceof WriteError) writer.abandon();
    throw error;
  }
}

async function processStreams(
  writer: Writer,
  task: ProcessTask,
  trackPlan: TrackPlan,
  inputs: readonly MediaInput[],
  taskContext: TaskContext,
): Promise<ProcessReport> {
  const container = containerFormats[trackPlan.container];
  const { outputs, sinks } = await createTrackSinks(trackPlan, inputs, writer, taskContext);
  const members = createMembers(task, trackPlan, inputs, sinks);
  const chapterSelection = selectChapters(members, container);
  const lossNotes = [
    ...displayLossNotes(trackPlan.tracks, inputs, container),
    ...flagLossNotes(trackPlan.tracks, inputs, container),
    ...encodingLossNotes(outputs, inputs, container),
  ];
  writer.setMetadata(metadataOf(inputs[0]), chapterSelection.chapters);
  await writer.begin();
  const inputSummary = await readInputs(members, writer, taskContext);
  const sourceOf = ({ input, jobInput, index }: SourceStream): SourceStats => {
    const sink = sinks[input]?.get(index);
    const stats = withFewerPackets(inputSummary.stats.get(input)?.[index], sink?.overlapCount?.() ?? 0);
    const [undecodedPackets, mixExtent] = [sink?.undecodedPackets?.() ?? 0, sink?.mixExtent?.()];
    return {
      file: input,
      input: jobInput,
      undecoded: undecodedPackets,
      ...(stats && { stats }),
      ...(mixExtent && { mixed: mixExtent }),
    };
  };
  writer.endCues();
  const writtenOutputs = outputs.filter((each) => !isDropped(each, container));
  const cuesOf = (
    { input, index }: SourceStream,
    { cues: { writtenCues, missing, moved } }: OutputStream,
  ): CueOrigin => {
    const cues = inputSummary.cues.get(input)?.[index];
    const hasSeveralParts = task.inputs[input]?.followedBy !== undefined;
    const origin = { file: input, missing, moved: moved || hasSeveralParts || inputs[input]?.mayJump === true };
    return { ...origin, ...(cues && { read: cues }), ...(writtenCues && { writtenCues }) };
  };
  const streams = writtenOutputs.flatMap((each) => summarizeOutput(each, sourceOf, cuesOf));
  const notes = [
    ...trackPlan.notes,
    ...outputNotes(outputs, container),
    ...chapterSelection.notes,
    ...lossNotes,
    ...inputSummary.notes,
  ];
  return {
    streams,
    duration: Math.max(0, ...streams.map((stream) => stream.duration ?? 0)),
    ...(await writer.finish()),
    notes: limitNotes(notes),
  };
}

function withFewerPackets(stats: StreamStats | undefined, count: number): StreamStats | undefined {
  if (stats?.packets === undefined || count === 0) return stats;
  return { ...stats, packets: stats.packets - count };
}

function summarizeOutput(
  { track, output }: TrackOutput,
  sourceOf: (source: SourceStream) => SourceStats,
  cuesOf: (source: SourceStream, output: OutputStream) => CueOrigin,
): WrittenStream[] {
  const [source] = track.sources;
  const kind = source === undefined ? undefined : reportedKind(source);
  if (source === undefined || kind === undefined) return [];
  const codec = output.codec();
  if (kind === 'subtitle') {
    const cues = output.muxedCues();
    return [{ kind, codec, ...(cues && { cues }), cueOrigin: cuesOf(source, output) }];
  }
  const origin = { action: track.action, sources: track.sources.map(sourceOf) };
  const stats = output.stats();
  return [{ kind, codec, origin, ...(stats === undefined ? {} : { stats, duration: stats.end - stats.first }) }];
}
