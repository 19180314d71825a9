import type { OutputContainer } from '../../../../contract/containers.ts';
import { MillraceError } from '../../../../contract/errors.ts';
import { containerFormats } from '../../formats/container-formats.ts';
import type { SourceStream } from '../../track-plan/source-stream.ts';
import type { Track, TrackPlan } from '../../track-plan/track.ts';
import { guardEncrypted, refuseEncrypted } from '../input/encryption.ts';
import { readCover } from '../input/open-file.ts';
import type { OpenInput } from '../input/opened-input.ts';
import { nameOf, streamOf } from '../input/source-streams.ts';
import type { NamedStream, Sink, TaskContext } from '../sink.ts';
import { convertSubtitles } from './convert-subtitles.ts';
import { attachCover, attachFile, copyStream } from './copy-stream.ts';
import { mixStreams } from './mix-streams.ts';
import { refuseParameterChanges } from './refuse-parameter-changes.ts';
import { refuseUntimed } from './refuse-untimed.ts';
import type { TrackOutput } from './track-output.ts';
import { transcodeStream } from './transcode-stream.ts';
import type { OutputStream, Writer } from './writer.ts';

/** The streams of a result, and the sinks of packets by input and stream. */
interface TrackSinks {
  readonly outputs: readonly TrackOutput[];
  readonly sinks: readonly ReadonlyMap<number, Sink>[];
}

/**
 * Adds the planned streams to a result.
 *
 * @throws MillraceError `input_unreadable`, `processing_failed`, or `source_unsupported` for an encrypted stream or one
 *   that pauses between two edits.
 */
export async function createTrackSinks(
  plan: TrackPlan,
  inputs: readonly OpenInput[],
  writer: Writer,
  taskContext: TaskContext,
): Promise<TrackSinks> {
  const sinks = inputs.map(() => new Map<number, Sink>());
  const outputs: TrackOutput[] = [];
  for (const track of plan.tracks) {
    for (const source of track.sources) {
      refusePaused(source, inputs);
      refuseEncrypted(named(source, inputs), source.jobInput);
    }
    const output = writer.addStream();
    const made = await createSinks(track, inputs, output, plan.container, writer.globalHeader, taskContext);
    outputs.push({ track, output, sinks: made });
    track.sources.forEach((source, at) => {
      const sink = made[at];
      if (sink === undefined) return;
      sinks[source.input]?.set(source.index, guardEncrypted(sink, named(source, inputs), source.jobInput));
    });
  }
  return { outputs, sinks };
}

function named(source: SourceStream, inputs: readonly OpenInput[]): NamedStream {
  return { stream: streamOf(source, inputs), what: nameOf(source, inputs) };
}

/** The media library shows the beginning of the track again in place of the pause, and so would every result. */
function refusePaused(source: SourceStream, inputs: readonly OpenInput[]): void {
  if (inputs[source.input]?.paused.has(streamOf(source, inputs).id) !== true) return;
  const what = `${nameOf(source, inputs)} pauses in the middle of its edit list`;
  throw new MillraceError(
    'source_unsupported',
    `${what}, which Millrace cannot keep. Use a file without such a pause.`,
    {
      input: source.jobInput,
    },
  );
}

async function createSinks(
  track: Track,
  inputs: readonly OpenInput[],
  output: OutputStream,
  ext: OutputContainer,
  globalHeader: boolean,
  { threads }: TaskContext,
): Promise<readonly Sink[]> {
  const sources = track.sources.map((source) => named(source, inputs));
  const [first] = sources;
  const [source] = track.sources;
  if (first === undefined || source === undefined) throw new Error('a track has no source');
  const { kind } = track;
  const container = containerFormats[ext];
  if (track.action === 'copy') {
    if (source.cover && container.muxer === 'matroska') {
      return [attachCover(first.stream, coverOf(source, inputs), output)];
    }
    if (kind === 'attachment') return [attachFile(first.stream, output)];
    const copied = refuseParameterChanges(
      copyStream(first.stream, output, container.muxer),
      first,
      source.jobInput,
      container,
    );
    const times = inputs[source.input]?.pictureTimes[source.index];
    const timed = kind !== 'video' || source.cover || times === undefined;
    return [timed ? copied : refuseUntimed(copied, source, times, ext)];
  }
  if (kind === 'data' || kind === 'attachment') throw new Error(`${kind} cannot be encoded`);
  if (kind === 'subtitle') {
    if (container.subtitleText === undefined) throw new Error(`${container.title} has no text subtitles`);
    return [convertSubtitles(first.stream, output, container.subtitleText)];
  }
  const losesDisplay = container.losesDisplayMetadata === true;
  const setup = { choices: container.encoders[kind], threads, globalHeader, losesDisplay };
  if (track.action === 'mix') return await mixStreams(sources, output, setup);
  return [await transcodeStream(first, kind, output, setup)];
}

function coverOf(source: SourceStream, inputs: readonly OpenInput[]): Buffer {
  const input = inputs[source.input];
  const picture = input === undefined ? undefined : readCover(input, source.index);
  if (picture !== undefined) return picture;
  throw new MillraceError('input_unreadable', `The cover picture of ${input?.name.toLowerCase()} cannot be read.`, {
    input: source.jobInput,
  });
}
