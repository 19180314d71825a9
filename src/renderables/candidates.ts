import type { SourceStream } from '../contract/source-media.ts';
import type { SourceContent } from '../platforms/platform.ts';
import type { RenderableFile } from './selected-renderable.ts';
import { contentLength, factsOf, jobOf, type Source, sizeOf, soundCodec, sourcesOf } from './streams.ts';

/** A file that could be rendered of one video stream, with the properties that it is selected by. */
export interface Candidate {
  readonly file: RenderableFile;
  /** Its video stream. */
  readonly stream: SourceStream;
  /** Equal for files of the same pixel size; the label if that is not known. */
  readonly resolution: string;
  readonly pixels: number;
  /** Minimum bytes to fetch. */
  readonly atLeast: number;
}

/** Codec families that MP4 can contain, the preferred first. */
const mp4Video = ['h264', 'av1', 'vp9', 'hevc'];
const mp4Audio = ['aac', 'mp3', 'ac3', 'eac3', 'opus', 'flac'];

/**
 * Returns every MP4 that could be rendered of a content's videos without re-encoding, the preferred first: the original
 * before secondary versions, then H.264, AV1, VP9, then streams with audio, then the higher bitrate, then the source's
 * order. A video without audio is joined with the best audio stream, if there is one.
 */
export function videoCandidates({ videos, audios }: SourceContent): Candidate[] {
  const sound = bestSound(sourcesOf(audios, 'audio').filter(({ stream }) => isOrMayBe(mp4Audio, soundCodec(stream))));
  return sourcesOf(videos, 'muxed', 'video')
    .filter(fitsMp4)
    .toSorted((a, b) => prefer(a.stream, b.stream))
    .map((video) => candidate(video, video.stream.kind === 'video' ? sound : undefined));
}

/** Returns the audio that is joined to videos: the original before dubs, AAC before others, then the higher bitrate. */
export function bestSound(sounds: readonly Source[]): Source | undefined {
  return sounds.toSorted(
    ({ stream: a }, { stream: b }) =>
      Number(a.secondary ?? false) - Number(b.secondary ?? false) ||
      rank(mp4Audio, soundCodec(a)) - rank(mp4Audio, soundCodec(b)) ||
      (b.bitrate ?? 0) - (a.bitrate ?? 0),
  )[0];
}

function prefer(a: SourceStream, b: SourceStream): number {
  return (
    Number(a.secondary ?? false) - Number(b.secondary ?? false) ||
    rank(mp4Video, a.videoCodec) - rank(mp4Video, b.videoCodec) ||
    Number(a.kind !== 'muxed') - Number(b.kind !== 'muxed') ||
    (b.bitrate ?? 0) - (a.bitrate ?? 0)
  );
}

/** Returns the index of a codec family in a list, or its length for other and unknown ones. */
function rank(families: readonly string[], family: string | undefined): number {
  const place = family === undefined ? -1 : families.indexOf(family);
  return place < 0 ? families.length : place;
}

function isOrMayBe(families: readonly string[], family: string | undefined): boolean {
  return family === undefined || families.includes(family);
}

/** Whether a stream can be stored in MP4 without re-encoding. */
function fitsMp4({ stream }: Source): boolean {
  if (stream.ext === 'mp4') return true;
  return isOrMayBe(mp4Video, stream.videoCodec) && isOrMayBe(mp4Audio, soundCodec(stream));
}

function candidate(video: Source, sound: Source | undefined): Candidate {
  const { item, stream } = video;
  const { width, height, fps } = item.metadata;
  const sources = sound === undefined ? [video] : [video, sound];
  const single = stream.ext === 'mp4' ? 'no_process' : 'convert_format';
  const type = sound === undefined ? single : 'join_streams';
  const { exact, atLeast } = sizeOf(sources);
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
        ...contentLength(type === 'convert_format' ? undefined : exact),
      },
      job: jobOf(sources, 'mp4', type),
      ...factsOf(sources),
    },
    stream,
    resolution: pixels > 0 ? `${width}x${height}` : item.label,
    pixels,
    atLeast,
  };
}
