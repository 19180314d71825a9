import type { OutputContainer } from '../../../contract/containers.ts';
import type { OutputNote } from '../../../contract/output-notes.ts';
import {
  type ContainerFormat,
  canHold,
  containerFormats,
  maxAudioStreams,
  maxTracks,
} from '../formats/container-formats.ts';
import { isTextSubtitle } from '../subtitles/subtitle-text.ts';
import type { Cover } from '../tags/cover.ts';
import type { ProcessTask } from '../tasks/task.ts';
import { isMedia, streamUse } from './operation-streams.ts';
import { refuseMisfits, refuseVideoInAudio } from './refuse-misfits.ts';
import { refuseUnreadableVideo } from './refuse-unreadable-video.ts';
import type { EngineOperation, SourceStream } from './source-stream.ts';
import {
  emptinessOf,
  leftOutNote,
  noFramesError,
  streamLabel,
  toSentence,
  unreadableInputError,
} from './stream-messages.ts';
import type { Track, TrackPlan } from './track.ts';
import { leaveOutUndecodable } from './undecodable.ts';

/**
 * Decides which streams of the inputs make up the result, and which of them are copied.
 *
 * @throws MillraceError `input_unreadable` if an input lacks a kind of stream that the operation needs,
 * `incompatible_codecs` if a stream does not fit the container.
 */
export function planTracks(
  inputs: readonly (readonly SourceStream[])[],
  operation: ProcessTask['operation'],
  ext: OutputContainer,
): TrackPlan {
  const notes: OutputNote[] = [];
  const sources = groupByJobInput(inputs);
  const jobInputs = sources.map((streams, at) => streams[0]?.jobInput ?? at);
  sources.forEach((streams, at) => {
    const media = streams.filter(isMedia);
    if (media.some(({ empty }) => !empty) || streams.some(({ subtitleFile }) => subtitleFile !== undefined)) return;
    const input = jobInputs[at] ?? at;
    if (media.length > 0) throw noFramesError(`Input ${input + 1}`, media, input);
    const message = `Input ${input + 1} has neither a video nor an audio stream. Use a video or audio file.`;
    throw unreadableInputError(message, input);
  });
  const usable = sources.map((streams) => {
    refuseUnreadableVideo(streams, operation.type);
    const kept = streams.filter((stream) => isKept(stream, operation.type, notes));
    return leaveOutUndecodable(kept, ext, operation.copyStreams, notes);
  });
  const candidates = chooseTracks(usable, jobInputs, operation, notes);
  refuseVideoInAudio(candidates, operation.type, ext);
  const adaptedTracks = candidates
    .filter((track, at) => isKeptAudio(track, candidates.slice(0, at), operation.type, ext, notes))
    .map((track): Track => (operation.copyStreams || track.action === 'mix' ? track : encodeTrack(track)))
    .flatMap((track) => adaptNonMedia(track, containerFormats[ext], notes))
    .toSorted((a, b) => rank(a) - rank(b));
  const tracks = adaptedTracks.filter((track, at) => at < maxTracks || !isAuxiliary(track));
  for (const { sources } of adaptedTracks.slice(tracks.length)) {
    for (const source of sources) notes.push(leftOutNote(source, `a result has at most ${maxTracks} streams`));
  }
  refuseMisfits(tracks, ext);
  return { container: ext, tracks, notes: [...notes, ...severalVideosNotes(tracks)] };
}

/**
 * Groups the streams by the job's inputs. An input with separate audio consists of two files. Inputs that are not part
 * of the task, such as the images of a slideshow, have no group.
 */
function groupByJobInput(files: readonly (readonly SourceStream[])[]): readonly (readonly SourceStream[])[] {
  const inputs: (readonly SourceStream[])[] = [];
  files.forEach((streams, at) => {
    const input = streams[0]?.jobInput ?? at;
    inputs[input] = [...(inputs[input] ?? []), ...streams];
  });
  return inputs.filter(() => true);
}

/**
 * Returns the sort order of a track. Players expect video first. Covers follow the media, and streams that no player
 * displays come last.
 */
function rank(track: Track): number {
  if (track.sources[0]?.cover === true) return 3;
  return { video: 0, audio: 1, subtitle: 2, data: 4, attachment: 5 }[track.kind];
}

/** Returns whether a track only accompanies the media and cannot be seen or heard by itself, or is an addition. */
function isAuxiliary({ kind, sources }: Track): boolean {
  return kind === 'data' || kind === 'attachment' || sources[0]?.subtitleFile?.addition !== undefined;
}

/** The streams that each operation needs: a kind of stream, and the index of the input that must have one. */
const requiredStreams: Readonly<Record<EngineOperation, readonly (readonly ['video' | 'audio', input: number])[]>> = {
  join_streams: [],
  convert_format: [],
  extract_audio: [['audio', 0]],
  extract_video: [['video', 0]],
  replace_audio_in_video: [
    ['video', 0],
    ['audio', 1],
  ],
  mix_audio_and_video: [
    ['audio', 1],
    ['video', 0],
  ],
};

/** Returns the result's tracks, made from the streams that the operation keeps, and copied unless they are mixed. */
function chooseTracks(
  inputs: readonly SourceStream[][],
  jobInputs: readonly number[],
  { type, volumes }: ProcessTask['operation'],
  notes: OutputNote[],
): Track[] {
  for (const [kind, at] of requiredStreams[type]) {
    if (inputs[at]?.some((stream) => stream.kind === kind && !stream.cover) === true) continue;
    const input = jobInputs[at] ?? at;
    const message = `Input ${input + 1} has no ${kind} stream, which ${type} needs. Use an input with ${kind}, or another operation.`;
    throw unreadableInputError(message, input);
  }
  const streams = inputs.flat();
  if (type !== 'mix_audio_and_video') return streams.map(copyTrack);
  const audioTracks = inputs.map((each) => each.filter(({ kind }) => kind === 'audio'));
  const sources = audioTracks.flatMap((each) => each.slice(0, 1));
  const sourceVolumes = volumes?.filter((_, at) => audioTracks[at]?.length !== 0);
  // Without audio in the video, there is nothing to mix, as in replace_audio_in_video.
  if (sources.length === 1 && (sourceVolumes?.[0] ?? 1) === 1) return streams.map(copyTrack);
  for (const extra of audioTracks.flatMap((each) => each.slice(1))) {
    notes.push(leftOutNote(extra, 'only the first audio stream of each input is mixed'));
  }
  const mix: Track = {
    ...{ kind: 'audio', action: 'mix', sources },
    ...(sourceVolumes === undefined ? {} : { volumes: sourceVolumes }),
  };
  return [...streams.filter(({ kind }) => kind !== 'audio').map(copyTrack), mix];
}

function copyTrack(stream: SourceStream): Track {
  return { kind: stream.kind as Track['kind'], action: 'copy', sources: [stream] };
}

/**
 * Returns a track that is encoded. Streams other than video and audio are still copied, because encoding them has no
 * benefit.
 */
function encodeTrack(track: Track): Track {
  return track.sources.every(isMedia) ? { ...track, action: 'encode' } : track;
}

function isKept(stream: SourceStream, operation: EngineOperation, notes: OutputNote[]): boolean {
  const use = streamUse(stream, operation);
  if (use === 'excluded') return false;
  if (use !== 'kept') notes.push(leftOutNote(stream, use.omittedBecause));
  else if (stream.empty) notes.push(leftOutNote(stream, emptinessOf(stream)));
  return use === 'kept' && !stream.empty;
}

/** Returns whether a track is kept. An extraction into a container that holds one audio stream keeps only the first. */
function isKeptAudio(
  track: Track,
  before: readonly Track[],
  operation: EngineOperation,
  ext: OutputContainer,
  notes: OutputNote[],
): boolean {
  const audioTracks = before.filter(({ kind }) => kind === 'audio').length;
  if (operation !== 'extract_audio' || track.kind !== 'audio' || audioTracks < maxAudioStreams(ext)) return true;
  for (const source of track.sources)
    notes.push(leftOutNote(source, `${containerFormats[ext].title} stores only one stream`));
  return false;
}

/**
 * Converts or drops streams that do not fit unchanged and are not video or audio: covers, subtitles, data, attachments.
 */
function adaptNonMedia(track: Track, container: ContainerFormat, notes: OutputNote[]): Track[] {
  const [source] = track.sources;
  if (source === undefined) return [];
  if (source.cover) {
    if (container.coverCodecs.includes(source.codec)) return [track];
    notes.push(leftOutNote(source, `${container.title} cannot store it`));
    return [];
  }
  if (track.kind === 'video' || track.kind === 'audio' || canHold(container, track.kind, source.codec)) return [track];
  if (track.kind === 'subtitle' && container.subtitleText !== undefined && isTextSubtitle(source.codec)) {
    if (source.subtitleFile?.hasStyle === false) return [{ ...track, action: 'encode' }];
    const isAddition = source.subtitleFile?.addition !== undefined;
    const [verb, formatting] = isAddition ? ['were', 'their formatting'] : ['was', 'its formatting'];
    const message = toSentence(
      `${streamLabel(source)} ${verb} converted to ${container.subtitleText}, without ${formatting}`,
    );
    notes.push({ code: 'subtitle_converted', message, ...(isAddition ? {} : { input: source.jobInput }) });
    return [{ ...track, action: 'encode' }];
  }
  notes.push(
    leftOutNote(source, `${container.title} cannot store ${source.subtitleFile === undefined ? 'it' : 'them'}`),
  );
  return [];
}

/** Returns the same track plan without data streams, if it has any. Some muxers only refuse data when they write it. */
export function withoutDataTracks(trackPlan: TrackPlan): TrackPlan | undefined {
  const data = trackPlan.tracks.filter(({ kind }) => kind === 'data');
  if (data.length === 0) return undefined;
  const reason = `${containerFormats[trackPlan.container].title} cannot store it unchanged`;
  return {
    ...trackPlan,
    tracks: trackPlan.tracks.filter(({ kind }) => kind !== 'data'),
    notes: [...trackPlan.notes, ...data.flatMap(({ sources }) => sources.map((source) => leftOutNote(source, reason)))],
  };
}

/** Returns the track plan without the covers of the inputs if another cover replaces them. */
export function withCover(trackPlan: TrackPlan, cover: Cover | undefined): TrackPlan {
  if (cover === undefined) return trackPlan;
  return { ...trackPlan, tracks: trackPlan.tracks.filter(({ sources }) => sources[0]?.cover !== true) };
}

function severalVideosNotes(tracks: readonly Track[]): OutputNote[] {
  const count = tracks.filter((track) => track.kind === 'video' && track.sources[0]?.cover === false).length;
  if (count < 2) return [];
  return [
    { code: 'several_videos', message: `The result has ${count} video streams. Most players show only the first.` },
  ];
}
