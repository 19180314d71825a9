import { AV_CODEC_ID_PNG } from 'node-av/constants';
import type { OutputContainer } from '../../../../contract/containers.ts';
import { MillraceError } from '../../../../contract/errors.ts';
import { type ContainerFormat, containerFormats } from '../../formats/container-formats.ts';
import { videoEncoders } from '../../formats/video-encoders.ts';
import type { SourceStream } from '../../track-plan/source-stream.ts';
import type { Track, TrackPlan } from '../../track-plan/track.ts';
import { guardEncrypted, refuseEncrypted } from '../input/encryption.ts';
import { findStream, namedStream, streamName } from '../input/find-stream.ts';
import { hiddenLead } from '../input/hidden-lead.ts';
import type { MediaInput } from '../input/media-input.ts';
import { readCover } from '../input/open-file.ts';
import type { Sink, TaskContext } from '../sink.ts';
import { createAudioChain } from './audio-chain.ts';
import type { ClipWindow } from './clip-window.ts';
import { convertSubtitles } from './convert-subtitles.ts';
import { attachCover, attachFile, copyDescription, copyStream } from './copy-stream.ts';
import { type DecodeSetup, decodeStream } from './decode-stream.ts';
import { dropPartialFrames } from './drop-partial-frames.ts';
import type { EncodeSettings } from './encode-settings.ts';
import { Encoder, type EncoderSetup } from './encoder.ts';
import { keepMp3Delay } from './keep-mp3-delay.ts';
import { mixFormat, mixStreams } from './mix-streams.ts';
import { refuseAdtsChanges } from './refuse-adts-changes.ts';
import { refuseDamagedPackets } from './refuse-damaged-packets.ts';
import { refuseMissingPts } from './refuse-missing-pts.ts';
import { refuseParameterChanges } from './refuse-parameter-changes.ts';
import { refuseRateChanges } from './refuse-rate-changes.ts';
import type { OutputStream, Writer } from './result-writer.ts';
import { stateEnd } from './state-end.ts';
import type { TrackOutput } from './track-output.ts';
import { transcodeVideo } from './transcode-video.ts';

/** The streams of a result, and the packet sinks by input and stream. */
interface TrackSinks {
  readonly outputs: readonly TrackOutput[];
  readonly sinks: readonly ReadonlyMap<number, Sink>[];
}

/**
 * Adds the tracks of the track plan to a result.
 *
 * @param settings - how the tracks that are not copied are encoded.
 * @param clip - what decoded streams keep, if the result is a clip.
 * @throws MillraceError `input_unreadable`, `processing_failed`, or `source_unsupported` for an encrypted stream or one
 * that pauses between two edits.
 */
export async function createTrackSinks(
  trackPlan: TrackPlan,
  inputs: readonly MediaInput[],
  writer: Writer,
  settings: EncodeSettings,
  taskContext: TaskContext,
  clip?: ClipWindow,
): Promise<TrackSinks> {
  const sinks = inputs.map(() => new Map<number, Sink>());
  const outputs: TrackOutput[] = [];
  for (const track of trackPlan.tracks) {
    refuseSources(track, inputs);
    const output = writer.addStream();
    const setup = { threads: taskContext.threads, globalHeader: writer.globalHeader, settings, clip };
    const trackSinks = await createSinks(track, inputs, output, trackPlan.container, setup);
    outputs.push({ track, output, sinks: trackSinks });
    track.sources.forEach((source, at) => {
      const sink = trackSinks[at];
      if (sink === undefined) return;
      sinks[source.input]?.set(source.index, guardEncrypted(sink, namedStream(source, inputs), source.jobInput));
    });
  }
  return { outputs, sinks };
}

/**
 * Refuses streams that a result cannot be made of.
 *
 * @throws MillraceError `source_unsupported`.
 */
export function refuseSources({ sources }: Track, inputs: readonly MediaInput[]): void {
  for (const source of sources) {
    refusePausedTrack(source, inputs);
    refuseEncrypted(namedStream(source, inputs), source.jobInput);
  }
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
  setup: EncoderSetup & DecodeSetup,
): Promise<readonly Sink[]> {
  const sources = track.sources.map((source) => namedStream(source, inputs));
  const [first] = sources;
  const [source] = track.sources;
  if (first === undefined || source === undefined) throw new Error('a track has no source');
  const { kind } = track;
  const container = containerFormats[ext];
  if (track.action === 'copy') {
    if (source.cover && container.muxer === 'matroska') {
      const type = first.stream.codecpar.codecId === AV_CODEC_ID_PNG ? 'image/png' : 'image/jpeg';
      return [attachCover(loadCover(source, inputs), type, output)];
    }
    if (kind === 'attachment') return [attachFile(first.stream, output)];
    const { jobInput } = source;
    const lead = hiddenLead(inputs[source.input]?.format ?? '', first.stream);
    const written = keepMp3Delay(copyStream(first.stream, output, container.muxer, lead), container.muxer);
    const copy = dropPartialFrames(
      kind === 'audio' ? stateEnd(written, first, container.muxer) : written,
      first,
      jobInput,
    );
    const sameParameters = refuseParameterChanges(copy, first, jobInput, container);
    const sameFrames = refuseAdtsChanges(sameParameters, first, jobInput, container);
    const sameRate = refuseRateChanges(sameFrames, first, jobInput, container);
    const copySink = refuseDamagedPackets(sameRate, first, jobInput);
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
  const { muxer } = container;
  const options = { ...setup, muxer, choices: encodersFor(container, kind, setup.settings), losesDisplayMetadata };
  const gain = setup.settings.gains?.get(track);
  if (track.action === 'mix') {
    const target = await Encoder.openAudio(options.choices, mixFormat(sources), output, options);
    return await mixStreams(sources, track.volumes, target, gain, setup);
  }
  if (kind === 'audio') {
    const target = await Encoder.openAudio(options.choices, first.stream.codecpar, output, options);
    copyDescription(first.stream, output.stream);
    return [await decodeStream(first, 'audio', createAudioChain(target, gain, setup.clip), setup)];
  }
  return [await transcodeVideo(first, output, options)];
}

export function encodersFor({ encoders }: ContainerFormat, kind: 'video' | 'audio', { video }: EncodeSettings) {
  return kind === 'video' && video?.codec !== undefined ? videoEncoders[video.codec] : encoders[kind];
}

function loadCover(source: SourceStream, inputs: readonly MediaInput[]): Buffer {
  const input = inputs[source.input];
  const picture = input === undefined ? undefined : readCover(input, source.index);
  if (picture !== undefined) return picture;
  throw new MillraceError('input_unreadable', `The cover image of ${input?.name.toLowerCase()} cannot be read.`, {
    input: source.jobInput,
  });
}
