import type { VideoCodec } from '../contract/encoding.ts';
import type { SourceStream } from '../contract/source-media.ts';
import type { ContentMedia } from '../platforms/platform.ts';
import { sourcesInLanguages } from './audio-languages.ts';
import {
  audioCodecOf,
  contentLengthMetadata,
  type RenderSource,
  renderJobOf,
  sizeAndExpiryOf,
  sizeOf,
  sourcesOf,
} from './render-sources.ts';
import type { RenderableFile } from './selected-renderable.ts';

/** A file that could be rendered from one video stream, with the properties by which it is selected. */
export interface VideoCandidate {
  readonly file: RenderableFile;
  /** Its video stream. */
  readonly stream: SourceStream;
  /** Equal for files of the same pixel size; the label if that is unknown. */
  readonly resolution: string;
  readonly pixels: number;
  /** Minimum number of bytes to fetch. */
  readonly minBytes: number;
}

/** Codec families that MP4 supports, in order of preference. */
const mp4Video = ['h264', 'av1', 'vp9', 'hevc'];
const mp4Audio = ['aac', 'mp3', 'ac3', 'eac3', 'opus', 'flac'];

/**
 * Returns every MP4 that could be rendered from a content item's videos without re-encoding, in order of preference.
 * The original comes before secondary versions, then H.264, AV1, VP9, then streams with audio, then the higher bitrate,
 * then the source's order. A video without audio is joined with the best audio stream, if there is one.
 *
 * @param languages Requested languages of the audio tracks; empty for the platform's choice.
 * @returns The files, or why there is no audio in one of the languages.
 */
export function videoCandidates(
  { videos, audios }: ContentMedia,
  languages: readonly string[] = [],
): VideoCandidate[] | string {
  const usableAudios = sourcesOf(audios, 'audio').filter(({ stream }) => mayBeOneOf(mp4Audio, audioCodecOf(stream)));
  const usableVideos = sourcesOf(videos, 'muxed', 'video')
    .filter(fitsInMp4)
    .toSorted((a, b) => comparePreference(a.stream, b.stream));
  if (languages.length > 0) return candidatesInLanguages(usableVideos, usableAudios, languages);
  const audio = bestAudio(usableAudios);
  return usableVideos.map((video) =>
    createCandidate(video, video.stream.kind === 'video' && audio !== undefined ? [audio] : []),
  );
}

/** The codec family of a stream for each codec that callers can request. */
const familyOfCodec: Readonly<Record<VideoCodec, string>> = { h264: 'h264', h265: 'hevc', vp9: 'vp9', av1: 'av1' };

/**
 * Returns the candidates whose video has the requested codec, or why there are none. Without a requested codec, returns
 * all candidates.
 */
export function candidatesWithCodec(
  candidates: VideoCandidate[] | string,
  codec: VideoCodec | undefined,
): VideoCandidate[] | string {
  if (codec === undefined || typeof candidates === 'string' || candidates.length === 0) return candidates;
  const matching = candidates.filter(({ stream }) => stream.videoCodec === familyOfCodec[codec]);
  if (matching.length > 0) return matching;
  const available = Object.entries(familyOfCodec)
    .filter(([, family]) => candidates.some(({ stream }) => stream.videoCodec === family))
    .map(([name]) => name);
  return `Unavailable: no video in ${codec}.${available.length === 0 ? '' : ` Available: ${available.join(', ')}.`}`;
}

function candidatesInLanguages(
  videos: readonly RenderSource[],
  audios: readonly RenderSource[],
  languages: readonly string[],
): VideoCandidate[] | string {
  if (videos.length === 0) return [];
  const muxed = videos.filter(({ stream }) => stream.kind === 'muxed');
  const inLanguages = sourcesInLanguages([...audios, ...muxed], languages);
  if ('error' in inLanguages) return inLanguages.error;
  const { groups } = inLanguages;
  const tracks = groups.map((group) => bestAudio(group.filter(({ stream }) => stream.kind === 'audio')));
  const separateTracks = tracks.filter((track) => track !== undefined);
  const isSeparate = separateTracks.length === groups.length;
  const candidates = videos.flatMap((video): VideoCandidate[] => {
    if (video.stream.kind === 'video') return isSeparate ? [createCandidate(video, separateTracks)] : [];
    // The audio inside a file is one track, which can be used or replaced.
    if (groups.length > 1) return [];
    if (groups[0]?.includes(video) === true) return [createCandidate(video, [])];
    return isSeparate ? [createCandidate(video, separateTracks)] : [];
  });
  return candidates.length > 0 ? candidates : 'Unavailable: no video can be joined with audio in these languages.';
}

/** Returns the audio that is joined to videos: the original before dubs, AAC before others, then the higher bitrate. */
export function bestAudio(audios: readonly RenderSource[]): RenderSource | undefined {
  return audios.toSorted(
    ({ stream: a }, { stream: b }) =>
      Number(a.secondary ?? false) - Number(b.secondary ?? false) ||
      rank(mp4Audio, audioCodecOf(a)) - rank(mp4Audio, audioCodecOf(b)) ||
      (b.bitrate ?? 0) - (a.bitrate ?? 0),
  )[0];
}

function comparePreference(a: SourceStream, b: SourceStream): number {
  return (
    Number(a.secondary ?? false) - Number(b.secondary ?? false) ||
    rank(mp4Video, a.videoCodec) - rank(mp4Video, b.videoCodec) ||
    Number(a.kind !== 'muxed') - Number(b.kind !== 'muxed') ||
    (b.bitrate ?? 0) - (a.bitrate ?? 0)
  );
}

/** Returns the index of a codec family in a list, or the list's length for other and unknown ones. */
function rank(families: readonly string[], family: string | undefined): number {
  const index = family === undefined ? -1 : families.indexOf(family);
  return index < 0 ? families.length : index;
}

function mayBeOneOf(families: readonly string[], family: string | undefined): boolean {
  return family === undefined || families.includes(family);
}

/** Whether a stream can be stored in MP4 without re-encoding. */
function fitsInMp4({ stream }: RenderSource): boolean {
  if (stream.ext === 'mp4') return true;
  return mayBeOneOf(mp4Video, stream.videoCodec) && mayBeOneOf(mp4Audio, audioCodecOf(stream));
}

/** @param audios Separate audio, which replaces that of the video. */
function createCandidate(video: RenderSource, audios: readonly RenderSource[]): VideoCandidate {
  const { item, stream } = video;
  const { width, height, fps } = item.metadata;
  const sources = [video, ...audios];
  const singleSourceType = stream.ext === 'mp4' ? 'no_process' : 'convert_format';
  const joinType = stream.kind === 'muxed' ? 'replace_audio_in_video' : 'join_streams';
  const type = audios.length === 0 ? singleSourceType : joinType;
  const { exact, minBytes } = sizeOf(sources);
  const pixels = width * height;
  return {
    file: {
      label: item.label,
      metadata: {
        mime_type: 'video/mp4',
        width,
        height,
        has_audio: sources.some((source) => source.stream.kind !== 'video'),
        ...(typeof fps === 'number' ? { fps } : {}),
        ...contentLengthMetadata(type === 'convert_format' ? undefined : exact),
      },
      ...renderJobOf(sources, 'mp4', { type, copyStreams: true }),
      ...sizeAndExpiryOf(sources),
    },
    stream,
    resolution: pixels > 0 ? `${width}x${height}` : item.label,
    pixels,
    minBytes,
  };
}
