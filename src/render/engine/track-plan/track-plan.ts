import type { OutputContainer } from '../../../contract/containers.ts';
import { MillraceError } from '../../../contract/errors.ts';
import type { OutputNote } from '../../../contract/notes.ts';
import {
  type Container,
  containers,
  fits,
  isAudioOnly,
  maxAudio,
  maxTracks,
  type TrackKind,
} from '../formats/containers.ts';
import { isTextSubtitle } from '../subtitles/subtitle-text.ts';
import type { ProcessTask } from '../tasks/task.ts';
import { isMedia, useOf } from './operation-streams.ts';
import type { EngineOperation, SourceStream } from './source-stream.ts';

/** One stream of the result. */
export interface Track {
  readonly kind: TrackKind;
  /** `mix` decodes all its sources and encodes their sum. Subtitles that are encoded become text of another format. */
  readonly action: 'copy' | 'encode' | 'mix';
  /** One stream, or for `mix` one of each input. */
  readonly sources: readonly SourceStream[];
}

/** What goes where: the result's streams in their order, and what was left out. */
export interface TrackPlan {
  readonly container: OutputContainer;
  readonly tracks: readonly Track[];
  readonly notes: readonly OutputNote[];
}

/**
 * Decides which streams of the inputs make the result, and which of them are copied.
 *
 * @throws MillraceError `input_unreadable` when an input lacks a kind of stream that the operation needs,
 *   `incompatible_codecs` when a stream does not fit the container.
 */
export function planTracks(
  inputs: readonly (readonly SourceStream[])[],
  operation: ProcessTask['operation'],
  ext: OutputContainer,
): TrackPlan {
  const notes: OutputNote[] = [];
  const sources = ofJobInputs(inputs);
  sources.forEach((streams, at) => {
    if (streams.some((stream) => isMedia(stream) && !stream.empty)) return;
    throw unreadable(`Input ${at + 1} has neither a video nor an audio stream.`, at);
  });
  const usable = sources.map((streams) => streams.filter((stream) => keepUsable(stream, operation.type, notes)));
  const candidates = choose(usable, operation.type, notes);
  refuseVideoInAudio(candidates, operation.type, ext);
  const adapted = candidates
    .filter((track, at) => keepFirstAudio(track, candidates.slice(0, at), operation.type, ext, notes))
    .map((track): Track => (operation.copyStreams || track.action === 'mix' ? track : encoded(track)))
    .flatMap((track) => adaptExtra(track, containers[ext], notes))
    .toSorted((a, b) => rank(a) - rank(b));
  const tracks = adapted.filter((track, at) => at < maxTracks || !isCargo(track.kind));
  for (const { sources } of adapted.slice(tracks.length)) {
    for (const source of sources) notes.push(leftOut(source, `a result has ${maxTracks} streams at most`));
  }
  refuseMisfits(tracks, ext);
  return { container: ext, tracks, notes: [...notes, ...severalVideos(tracks)] };
}

/** The streams of each of the job's inputs. An input with separate audio comes in two files. */
function ofJobInputs(files: readonly (readonly SourceStream[])[]): readonly (readonly SourceStream[])[] {
  const inputs: (readonly SourceStream[])[] = [];
  files.forEach((streams, at) => {
    const input = streams[0]?.jobInput ?? at;
    inputs[input] = [...(inputs[input] ?? []), ...streams];
  });
  return Array.from(inputs, (streams = []) => streams);
}

/** Players expect the picture first; cover pictures come behind what plays, and what no player shows comes last. */
function rank(track: Track): number {
  if (track.sources[0]?.cover === true) return 3;
  return { video: 0, audio: 1, subtitle: 2, data: 4, attachment: 5 }[track.kind];
}

/** Whether a stream only travels along: nothing of it is seen or heard by itself. */
function isCargo(kind: SourceStream['kind']): boolean {
  return kind === 'data' || kind === 'attachment';
}

/** What each operation needs: a kind of stream, and the index of the input that must have one. */
const needs: Readonly<Record<EngineOperation, readonly (readonly ['video' | 'audio', input: number])[]>> = {
  join_streams: [],
  convert_format: [],
  extract_audio: [['audio', 0]],
  extract_video: [['video', 0]],
  replace_audio_in_video: [
    ['video', 0],
    ['audio', 1],
  ],
  mix_audio_and_video: [
    ['audio', 0],
    ['audio', 1],
    ['video', 0],
  ],
};

/** The result's streams, made from those that the operation keeps, and copied unless they are mixed. */
function choose(inputs: readonly SourceStream[][], operation: EngineOperation, notes: OutputNote[]): Track[] {
  for (const [kind, at] of needs[operation]) {
    if (inputs[at]?.some((stream) => stream.kind === kind && !stream.cover) === true) continue;
    throw unreadable(`Input ${at + 1} has no ${kind} stream, which this operation needs.`, at);
  }
  const streams = inputs.flat();
  if (operation !== 'mix_audio_and_video') return streams.map(copied);
  const sounds = inputs.map((each) => each.filter(({ kind }) => kind === 'audio'));
  for (const extra of sounds.flatMap((each) => each.slice(1))) {
    notes.push(leftOut(extra, 'the first audio stream of each input is mixed'));
  }
  const mix: Track = { kind: 'audio', action: 'mix', sources: sounds.flatMap((each) => each.slice(0, 1)) };
  return [...streams.filter(({ kind }) => kind !== 'audio').map(copied), mix];
}

function copied(stream: SourceStream): Track {
  return { kind: stream.kind as Track['kind'], action: 'copy', sources: [stream] };
}

/** All but video and sound is copied all the same: there is nothing to gain by encoding it. */
function encoded(track: Track): Track {
  return track.sources.every(isMedia) ? { ...track, action: 'encode' } : track;
}

function keepUsable(stream: SourceStream, operation: EngineOperation, notes: OutputNote[]): boolean {
  const use = useOf(stream, operation);
  if (use === 'excluded') return false;
  if (use !== 'kept') notes.push(leftOut(stream, use.leftOut));
  else if (stream.empty) notes.push(leftOut(stream, 'no frame of it was found when the file was opened'));
  return use === 'kept' && !stream.empty;
}

/** An extraction into a container that holds one audio stream takes the first. */
function keepFirstAudio(
  track: Track,
  before: readonly Track[],
  operation: EngineOperation,
  ext: OutputContainer,
  notes: OutputNote[],
): boolean {
  const sounds = before.filter(({ kind }) => kind === 'audio').length;
  if (operation !== 'extract_audio' || track.kind !== 'audio' || sounds < maxAudio(ext)) return true;
  for (const source of track.sources) notes.push(leftOut(source, `${containers[ext].title} holds one stream`));
  return false;
}

/** Converts or drops what does not fit as it is and is not the media itself: covers, subtitles, data, attachments. */
function adaptExtra(track: Track, container: Container, notes: OutputNote[]): Track[] {
  const [source] = track.sources;
  if (source === undefined) return [];
  if (source.cover) {
    if (container.covers.includes(source.codec)) return [track];
    notes.push(leftOut(source, `${container.title} cannot hold it`));
    return [];
  }
  if (track.kind === 'video' || track.kind === 'audio' || fits(container, track.kind, source.codec)) return [track];
  if (track.kind === 'subtitle' && container.subtitleText !== undefined && isTextSubtitle(source.codec)) {
    const message = sentence(`${describe(source)} was converted to ${container.subtitleText}, without its formatting`);
    notes.push({ code: 'subtitle_converted', message, input: source.jobInput });
    return [{ ...track, action: 'encode' }];
  }
  notes.push(leftOut(source, `${container.title} cannot hold it`));
  return [];
}

function refuseVideoInAudio(tracks: readonly Track[], operation: EngineOperation, ext: OutputContainer): void {
  const video = tracks.flatMap((track) => track.sources).find((source) => source.kind === 'video' && !source.cover);
  if (video === undefined || !isAudioOnly(containers[ext])) return;
  const hint = operation === 'join_streams' ? ' of one input' : '';
  throw incompatible(
    ext,
    `${describe(video)} cannot be part of an audio file`,
    `use the operation extract_audio to keep the sound alone${hint}, or choose output.ext mp4 or mkv`,
    [video],
  );
}

function refuseMisfits(tracks: readonly Track[], ext: OutputContainer): void {
  if (tracks.length > maxTracks) {
    const what = `${tracks.length} streams are too many`;
    const all = tracks.flatMap((track) => track.sources);
    throw incompatible(ext, what, `use inputs with ${maxTracks} streams at most`, all);
  }
  const sounds = tracks.filter((track) => track.kind === 'audio');
  if (sounds.length > maxAudio(ext)) {
    throw incompatible(
      ext,
      `it holds ${maxAudio(ext)} audio stream, and there are ${sounds.length}`,
      'choose output.ext m4a or mkv, which hold several, or use extract_audio, which takes the first',
      sounds.flatMap(({ sources }) => sources),
    );
  }
  const copies = tracks.filter(({ action }) => action === 'copy').flatMap(({ sources }) => sources);
  refuseUntimed(copies, ext);
  const misfits = tracks.filter((track) => !fitsCopied(track, ext)).flatMap((track) => track.sources);
  if (misfits.length === 0) return;
  const others = (Object.keys(containers) as OutputContainer[]).filter((other) => {
    return tracks.every((track) => fitsCopied(track, other)) && sounds.length <= maxAudio(other);
  });
  const choice = others.length === 0 ? '' : `choose output.ext ${others.join(' or ')}, or `;
  throw incompatible(ext, whyMisfit(misfits, ext), `${choice}${encodingRemedy(misfits)}`, misfits);
}

/** Why streams do not fit: the container cannot hold them, or players do not play them in it. */
function whyMisfit(misfits: readonly SourceStream[], ext: OutputContainer): string {
  const { title, unplayable = [] } = containers[ext];
  const hindered = misfits.filter(({ obstacles }) => obstacles?.[ext] !== undefined);
  const others = misfits.filter((source) => !hindered.includes(source));
  const unplayed = others.filter(({ codec }) => unplayable.includes(codec));
  const impossible = others.filter(({ codec }) => !unplayable.includes(codec));
  return [
    ...hindered.map((source) => `${describe(source)} cannot be copied into it because ${source.obstacles?.[ext]}`),
    ...(impossible.length > 0 ? [`${list(impossible)} cannot be copied into it`] : []),
    ...(unplayed.length > 0 ? [`players do not play ${list(unplayed)} in ${title}`] : []),
  ].join('; ');
}

function encodingRemedy(misfits: readonly SourceStream[]): string {
  const unknown = misfits.filter(({ codec }) => codec === 'unknown');
  if (unknown.length === 0) return 'set copyStreams false to re-encode';
  return `use an input without ${list(unknown)}, which cannot be re-encoded because its codec is unknown`;
}

/** Names streams in messages. */
export function list(streams: readonly SourceStream[]): string {
  return streams.map(describe).join(', ');
}

/** The same plan without data streams, if it has any: some muxers refuse data only when they write it. */
export function withoutData(trackPlan: TrackPlan): TrackPlan | undefined {
  const data = trackPlan.tracks.filter(({ kind }) => kind === 'data');
  if (data.length === 0) return undefined;
  const reason = `${containers[trackPlan.container].title} cannot hold it as it is`;
  return {
    ...trackPlan,
    tracks: trackPlan.tracks.filter(({ kind }) => kind !== 'data'),
    notes: [...trackPlan.notes, ...data.flatMap(({ sources }) => sources.map((source) => leftOut(source, reason)))],
  };
}

function refuseUntimed(copies: readonly SourceStream[], ext: OutputContainer): void {
  const untimed = copies.filter((source) => source.untimed === true);
  if (untimed.length > 0) throw untimedError(untimed, ext);
}

/** The error about video that cannot be copied because nothing says when its pictures are shown. */
export function untimedError(streams: readonly SourceStream[], ext: OutputContainer): MillraceError {
  const what = `${list(streams)} cannot be copied because its file does not say when each picture is shown`;
  return incompatible(ext, what, 'set copyStreams false to re-encode', streams);
}

function fitsCopied(track: Track, ext: OutputContainer): boolean {
  const container = containers[ext];
  const [source] = track.sources;
  // Everything else is dropped where it does not fit, so it rules no container out.
  if (source === undefined || source.cover || (track.kind !== 'video' && track.kind !== 'audio')) return true;
  if (track.action === 'copy')
    return fits(container, track.kind, source.codec) && source.obstacles?.[ext] === undefined;
  return container.encoders[track.kind].length > 0;
}

function severalVideos(tracks: readonly Track[]): OutputNote[] {
  const count = tracks.filter((track) => track.kind === 'video' && track.sources[0]?.cover === false).length;
  if (count < 2) return [];
  return [{ code: 'several_videos', message: `The result has ${count} video streams. Most players show the first.` }];
}

/** A stream in words: `the vp9 video (input 1, stream 0)`. */
function describe(stream: SourceStream): string {
  const what = stream.cover ? 'cover picture' : stream.kind;
  return `the ${stream.codec} ${what} (input ${stream.jobInput + 1}, stream ${stream.index})`;
}

/** A note that a stream is not in the result; the reason is a clause. */
export function leftOut(stream: SourceStream, reason: string): OutputNote {
  const message = sentence(`${describe(stream)} was left out: ${reason}`);
  return { code: 'stream_left_out', message, input: stream.jobInput };
}

function sentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
}

function unreadable(message: string, input: number): MillraceError {
  return new MillraceError('input_unreadable', message, { input });
}

/** The error about streams that do not fit. It has an `input` if all of them belong to one. */
function incompatible(
  ext: OutputContainer,
  what: string,
  remedy: string,
  streams: readonly SourceStream[],
): MillraceError {
  const [input, ...others] = new Set(streams.map(({ jobInput }) => jobInput));
  return new MillraceError(
    'incompatible_codecs',
    `Processing failed (incompatible codecs for the container ${ext}): ${what}; ${remedy}.`,
    input === undefined || others.length > 0 ? {} : { input },
  );
}
