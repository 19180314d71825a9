import type { SourceStream } from '../contract/source-media.ts';
import type { SourceContent } from '../platforms/platform.ts';
import type { RenderableFile } from './renderable-plan.ts';
import { contentLength, factsOf, jobOf, type Source, sizeOf, soundCodec, sourcesOf } from './streams.ts';

/** A file that could be made of one video stream, with what a choice among several needs. */
export interface Candidate {
  readonly file: RenderableFile;
  /** The video stream that it is made of. */
  readonly stream: SourceStream;
  /** The same for what has the same pixels; the label where they are not known. */
  readonly resolution: string;
  readonly pixels: number;
  /** Bytes that fetching it surely takes. */
  readonly atLeast: number;
}

/** Codec families that MP4 holds as they are, the preferred first. */
const mp4Video = ['h264', 'av1', 'vp9', 'hevc'];
const mp4Audio = ['aac', 'mp3', 'ac3', 'eac3', 'opus', 'flac'];

/**
 * Every MP4 that could be made of a content's videos without re-encoding, the preferred first: the proper version
 * before secondary ones, then H.264, AV1, VP9, then what has its sound inside, then the higher bitrate, then the source's order.
 * A video without sound is joined with the best sound there is; where there is none it stays silent.
 */
export function videoCandidates({ videos, audios }: SourceContent): Candidate[] {
  const sound = bestSound(sourcesOf(audios, 'audio').filter(({ stream }) => isOrMayBe(mp4Audio, soundCodec(stream))));
  return sourcesOf(videos, 'muxed', 'video')
    .filter(fitsMp4)
    .toSorted((a, b) => prefer(a.stream, b.stream))
    .map((video) => candidate(video, video.stream.kind === 'video' ? sound : undefined));
}

/** The sound that is joined to videos: the original before dubs, AAC before others, then the higher bitrate. */
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

/** The place of a codec family in a list, or its end for what is not in it or not known. */
function rank(families: readonly string[], family: string | undefined): number {
  const place = family === undefined ? -1 : families.indexOf(family);
  return place < 0 ? families.length : place;
}

function isOrMayBe(families: readonly string[], family: string | undefined): boolean {
  return family === undefined || families.includes(family);
}

/** Whether a stream can be stored in MP4 as it is; what is an MP4 already surely can. */
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
