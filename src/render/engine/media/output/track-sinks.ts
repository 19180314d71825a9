import type { OutputContainer } from '../../../../contract/containers.ts';
import { MillraceError } from '../../../../contract/errors.ts';
import { containerFormats } from '../../formats/container-formats.ts';
import type { SourceStream } from '../../track-plan/source-stream.ts';
import type { Track, TrackPlan } from '../../track-plan/track.ts';
import { guardEncrypted, refuseEncrypted } from '../input/encryption.ts';
import { findStream, streamName } from '../input/find-stream.ts';
import type { MediaInput } from '../input/media-input.ts';
import { readCover } from '../input/open-file.ts';
import type { NamedStream, Sink, TaskContext } from '../sink.ts';
import { convertSubtitles } from './convert-subtitles.ts';
import { attachCover, attachFile, copyStream } from './copy-stream.ts';
import { mixStreams } from './mix-streams.ts';
import { refuseMissingPts } from './refuse-missing-pts.ts';
import { refuseParameterChanges } from './refuse-parameter-changes.ts';
import type { OutputStream, Writer } from './result-writer.ts';
import type { TrackOutput } from './track-output.ts';
import { transcodeStream } from './transcode-stream.ts';

/** The streams of a result, and the packet sinks by input and stream. */
interface TrackSinks {
  readonly outputs: readonly TrackOutput[];
  readonly sinks: readonly ReadonlyMap<number, Sink>[];
}

/**
 * Adds the tracks of the track plan to a result.
 *
 * @throws MillraceError `input_unreadable`, `processing_failed`, or `source_unsupported` for an encrypted stream or one
 * that pauses between two edits.
 */
export async function createTrackSinks(
  trackPlan: TrackPlan,
  inputs: readonly MediaInput[],
  writer: Writer,
  taskContext: TaskContext,
): Promise<TrackSinks> {
  const sinks = inputs.map(() => new Map<number, Sink>());
  const outputs: TrackOutput[] = [];
  for (const track of trackPlan.tracks) {
    for (const source of track.sources) {
      refusePausedTrack(source, inputs);
      refuseEncrypted(namedStream(source, inputs), source.jobInput);
    }
    const output = writer.addStream();
    const trackSinks = await createSinks(track, inputs, output, trackPlan.container, writer.globalHeader, taskContext);
    outputs.push({ track, output, sinks: trackSinks });
    track.sources.forEach((source, at) => {
      const sink = trackSinks[at];
      if (sink === undefined) return;
      sinks[source.input]?.set(source.index, guardEncrypted(sink, namedStream(source, inputs), source.jobInput));
    });
  }
  return { outputs, sinks };
}

function namedStream(source: SourceStream, inputs: readonly MediaInput[]): NamedStream {
  return { stream: findStream(source, inputs), label: streamName(source, inputs) };
}

/**
 * Refuses a track with a pause. The media library replays the beginning of the track in place of the pause, and every
 * result would do the same.
 */
function refusePausedTrack(source: SourceStream, inputs: readonly MediaInput[]): void {
  if (inputs[source.input]?.pausedTrackIds.has(findStream(source, inputs).id) !== true) return;
  const what = `${streamName(source, inputs)} pauses in the middle of its edit list`;
  throw new MillraceError(
    'source_unsupported',
    `${what}, which Millrace cannot preserve. Use a file without such a pause.`,
    {
      input: source.jobInput,
    },
  );
}

async function createSinks(
  track: Track,
  inputs: readonly MediaInput[],
  output: OutputStream,
  ext: OutputContainer,
  globalHeader: boolean,
  { threads }: TaskContext,
): Promise<readonly Sink[]> {
  const sources = track.sources.map((source) => namedStream(source, inputs));
  const [first] = sources;
  const [source] = track.sources;
  if (first === undefined || source === undefined) throw new Error('a track has no source');
  const { kind } = track;
  const container = containerFormats[ext];
  if (track.action === 'copy') {
    if (source.cover && container.muxer === 'matroska') {
      return [attachCover(first.stream, loadCover(source, inputs), output)];
    }
    if (kind === 'attachment') return [attachFile(first.stream, output)];
    const copySink = refuseParameterChanges(
      copyStream(first.stream, output, container.muxer),
      first,
      source.jobInput,
      container,
    );
    const ptsSource = inputs[source.input]?.ptsSources[source.index];
    const hasPts = kind !== 'video' || source.cover || ptsSource === undefined;
    return [hasPts ? copySink : refuseMissingPts(copySink, source, ptsSource, ext)];
  }
  if (kind === 'data' || kind === 'attachment') throw new Error(`${kind} cannot be encoded`);
  if (kind === 'subtitle') {
    if (container.subtitleText === undefined) throw new Error(`${container.title} has no text subtitles`);
    return [convertSubtitles(first.stream, output, container.subtitleText)];
  }
  const losesDisplayMetadata = container.losesDisplayMetadata === true;
  const options = { choices: container.encoders[kind], threads, globalHeader, losesDisplayMetadata };
  if (track.action === 'mix') return await mixStreams(sources, output, options);
  return [await transcodeStream(first, kind, output, options)];
}

function loadCover(source: SourceStream, inputs: readonly MediaInput[]): Buffer {
  const input = inputs[source.input];
  const picture = input === undefined ? undefined : readCover(input, source.index);
  if (picture !== undefined) return picture;
  throw new MillraceError('input_unreadable', `The cover image of ${input?.name.toLowerCase()} cannot be read.`, {
    input: source.jobInput,
  });
}
