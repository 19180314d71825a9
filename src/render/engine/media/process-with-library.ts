import { limitNotes } from '../../../contract/output-notes.ts';
import { containerFormats, isOutputContainer } from '../formats/container-formats.ts';
import { TooSlowError } from '../size/size-unreachable.ts';
import { withoutVolumeTags } from '../tags/tags.ts';
import type { RequestedAdditions } from '../tasks/additions.ts';
import { digestAdditions } from '../tasks/digest-additions.ts';
import type { CueOrigin, ProcessReport, SourceStats, WrittenStream } from '../tasks/report.ts';
import type { ProcessTask } from '../tasks/task.ts';
import type { StreamStats } from '../timing/stream-stats.ts';
import type { SourceStream } from '../track-plan/source-stream.ts';
import { streamList } from '../track-plan/stream-messages.ts';
import type { Track, TrackPlan } from '../track-plan/track.ts';
import { planTracks, withCover, withoutDataTracks } from '../track-plan/track-plan.ts';
import { ClipCutter, EmptyTracks } from './clip/clip-cutter.ts';
import { StreamCut } from './clip/stream-cut.ts';
import { type MediaInput, reportedKind } from './input/media-input.ts';
import { planLoudness } from './loudness/plan-loudness.ts';
import { displayLossNotes } from './notes/display-loss-notes.ts';
import { bitRateNotes, encodingLossNotes } from './notes/encoding-loss-notes.ts';
import { flagLossNotes } from './notes/flag-loss-notes.ts';
import { earlyVideoNotes, outputNotes } from './notes/stream-notes.ts';
import { attachCover } from './output/copy-stream.ts';
import { type EncodeSettings, encodeSettingsOf } from './output/encode-settings.ts';
import { type OutputStream, WriteError, Writer } from './output/result-writer.ts';
import { setLanguage } from './output/set-language.ts';
import { forgetPriming, isDropped, type TrackOutput } from './output/track-output.ts';
import { createTrackSinks } from './output/track-sinks.ts';
import { shareOf } from './progress-share.ts';
import { selectChapters } from './reading/input-chapters.ts';
import { tagsOfInput } from './reading/input-metadata.ts';
import { prepareSubtitles } from './reading/prepare-subtitles.ts';
import { createMembers, openInputs, readInputs } from './reading/read-inputs.ts';
import type { TaskContext } from './sink.ts';
import { encodeToSize } from './size/encode-to-size.ts';

/**
 * Carries out an operation on files with the media library.
 *
 * @throws MillraceError `incompatible_codecs`, `input_unreadable`, `input_incomplete`, `source_unsupported` or
 * `processing_failed`.
 */
export async function processWithLibrary(
  givenTask: ProcessTask,
  givenAdditions: RequestedAdditions,
  taskContext: TaskContext,
): Promise<ProcessReport> {
  const { ext } = givenTask.output;
  if (!isOutputContainer(ext)) throw new Error(`unknown container ${ext}`);
  const { task, subtitles, notes } = prepareSubtitles(givenTask);
  const inputs = await openInputs(task, taskContext, subtitles);
  const plannedTracks = planTracks(
    inputs.map(({ sources }) => sources),
    task.operation,
    ext,
  );
  const chosenTracks = withCover({ ...plannedTracks, notes: [...notes, ...plannedTracks.notes] }, givenAdditions.cover);
  const open = () => openInputs(task, taskContext, subtitles);
  const loudness = await planLoudness(task, chosenTracks, open, taskContext);
  const trackPlan = { ...chosenTracks, notes: [...chosenTracks.notes, ...loudness.notes] };
  const additions = { ...givenAdditions, tags: { ...givenAdditions.tags, ...loudness.tags } };
  const settings = { ...encodeSettingsOf(task.operation), gains: loudness.gains };
  const context = { ...taskContext, pacer: shareOf(taskContext.pacer, loudness.progress, 1) };
  let openedInputs: readonly MediaInput[] | undefined = inputs;
  /** Writes the result with the inputs that are open, or opens them again. */
  const write = async (plan: TrackPlan, settings: EncodeSettings, taskContext: TaskContext) => {
    const unreadInputs = openedInputs ?? (await open());
    openedInputs = undefined;
    return await writeResult(task, additions, plan, unreadInputs, settings, taskContext);
  };
  const start = performance.now();
  const { maxSize } = task.output;
  const attempt = async (plan: TrackPlan) => {
    if (maxSize === undefined || task.operation.copyStreams) return await write(plan, settings, context);
    openedInputs ??= await open();
    const { timeLimit = Number.POSITIVE_INFINITY } = context;
    return await encodeToSize(
      task,
      maxSize,
      { trackPlan: plan, inputs: openedInputs, settings },
      (attemptSettings, attemptContext) => write(plan, attemptSettings, attemptContext),
      { ...context, timeLimit: timeLimit - (performance.now() - start) },
    );
  };
  let currentPlan: TrackPlan = trackPlan;
  for (;;) {
    try {
      return await attempt(currentPlan);
    } catch (error) {
      const smallerPlan = planAfter(error, currentPlan);
      if (smallerPlan === undefined) throw error;
      currentPlan = smallerPlan;
    }
  }
}

/** Errors after which another attempt may follow. */
const retriedErrors = [WriteError, EmptyTracks, TooSlowError] as const;

/** Returns the plan to try after an error: without the tracks that caused it. Returns undefined if they are needed. */
function planAfter(error: unknown, plan: TrackPlan): TrackPlan | undefined {
  if (error instanceof WriteError) return withoutDataTracks(plan);
  if (!(error instanceof EmptyTracks)) return undefined;
  const tracks = plan.tracks.filter((track) => !error.tracks.has(track));
  return { ...plan, tracks, notes: [...plan.notes, ...error.notes] };
}

async function writeResult(
  task: ProcessTask,
  additions: RequestedAdditions,
  trackPlan: TrackPlan,
  inputs: readonly MediaInput[],
  settings: EncodeSettings,
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
    return await processStreams(writer, task, additions, trackPlan, inputs, settings, taskContext);
  } catch (error) {
    if (retriedErrors.some((kind) => error instanceof kind)) writer.abandon();
    throw error;
  }
}

async function processStreams(
  writer: Writer,
  task: ProcessTask,
  additions: RequestedAdditions,
  trackPlan: TrackPlan,
  inputs: readonly MediaInput[],
  settings: EncodeSettings,
  taskContext: TaskContext,
): Promise<ProcessReport> {
  const container = containerFormats[trackPlan.container];
  const fillsAudio = task.operation.duration === 'video';
  const cutter = task.clip === undefined ? undefined : new ClipCutter(task.clip, container, fillsAudio);
  const { outputs, sinks: trackSinks } = await createTrackSinks(
    trackPlan,
    inputs,
    writer,
    settings,
    taskContext,
    cutter?.window,
  );
  if ((task.clip?.start ?? 0) > 0) outputs.forEach(forgetPriming);
  for (const { track, output } of outputs) {
    const languageTag = languageTagOf(track, task);
    if (languageTag !== undefined) setLanguage(output, languageTag, container.muxer);
  }
  const sinks = cutter?.cutAll(trackPlan.tracks, inputs, trackSinks) ?? trackSinks;
  const members = createMembers(task, trackPlan, inputs, sinks, cutter);
  const chapterSelection = selectChapters(members, container, additions.chapters);
  const lossNotes = [
    ...displayLossNotes(trackPlan.tracks, inputs, container),
    ...flagLossNotes(trackPlan.tracks, inputs, container),
    ...encodingLossNotes(outputs, inputs, container),
    ...bitRateNotes(outputs, container, settings.audioBitrate),
  ];
  const { cover } = additions;
  if (cover !== undefined && container.attachments === true) attachCover(cover.bytes, cover.type, writer.addStream());
  writer.setAdditions({
    ...additions,
    tags: { ...withoutVolumeTags(tagsOfInput(inputs[0])), ...additions.tags },
    chapters: chapterSelection.chapters,
  });
  await writer.begin();
  const inputSummary = await readInputs(members, writer, taskContext);
  const clip = cutter?.report();
  if (cutter !== undefined) writer.beginAt(cutter.begin, cutter.hidesLead ? cutter.window.end : undefined);
  const sourceOf = ({ input, jobInput, index }: SourceStream): SourceStats => {
    const sink = sinks[input]?.get(index);
    const readStats = sink instanceof StreamCut ? sink.stats() : inputSummary.stats.get(input)?.[index];
    const stats = withFewerPackets(readStats, sink?.droppedCount?.() ?? 0);
    const [undecodedPackets, mixExtent] = [sink?.undecodedPackets?.() ?? 0, sink?.mixExtent?.()];
    return {
      file: input,
      input: jobInput,
      undecoded: undecodedPackets,
      hasOrigin: inputs[input]?.sourceClock === 'presentation',
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
    const sink = sinks[input]?.get(index);
    const cues = sink instanceof StreamCut ? sink.cues() : inputSummary.cues.get(input)?.[index];
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
    ...(clip === undefined ? earlyVideoNotes(outputs, container) : (cutter?.notes(clip) ?? [])),
  ];
  const { bytes, chapters } = await writer.finish();
  cutter?.finish(task.output.path);
  return {
    streams,
    duration: cutter?.playedSeconds(streams) ?? Math.max(0, ...streams.map((stream) => stream.duration ?? 0)),
    bytes,
    ...digestAdditions(additions, chapters),
    ...(clip && { clip }),
    notes: limitNotes(notes),
  };
}

/**
 * Returns the language tag that a job states for a track, for the audio of an input or for a file of subtitles, or else
 * the one in the file of the track.
 */
function languageTagOf({ sources: [source] }: Track, { inputs }: ProcessTask): string | undefined {
  const input = source === undefined ? undefined : inputs[source.input];
  const stated = source?.kind === 'audio' || input?.subtitles !== undefined ? input?.language : undefined;
  return stated ?? source?.languageTag;
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
