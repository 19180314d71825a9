import type { VideoShape } from '../../../contract/encoding.ts';

/** What is encoded to fit a size. */
export interface SizedMedia {
  /** Duration in seconds. */
  readonly seconds: number;
  /** The encoded video streams, all of which get the same bit rate. */
  readonly videos: readonly SizedVideo[];
  /** Number of encoded audio streams, and the bit rates that their encoder supports, in bit/s. */
  readonly audioStreams: number;
  readonly audioRange: BitrateRange;
  /** Bit rate of each audio stream that the job requests, in bit/s. */
  readonly requestedAudioBitrate?: number;
}

/** A video stream to encode: pixels, and frames per second. */
export interface SizedVideo {
  readonly width: number;
  readonly height: number;
  readonly fps: number;
}

/** Bit rates in bit/s. */
export interface BitrateRange {
  readonly min: number;
  readonly max: number;
}

/** Bit rates of each stream in bit/s, and a smaller shape of the video if they are low. */
export interface BitratePlan {
  readonly audioBitrate?: number;
  readonly videoBitrate?: number;
  readonly video?: Pick<VideoShape, 'maxHeight' | 'maxFps'>;
}

/** Audio gets this fraction of the bits beside video, within these bit rates. */
const audioShare = { fraction: 0.15, min: 32_000, max: 128_000 } as const;

/** Lowest bit rate of video, in bit/s: a few small frames per second. */
const minVideoBitrate = 16_000;

/** Highest bit rate of video, in bit/s. */
const maxVideoBitrate = 200_000_000;

/** Bits per pixel below which video looks better in a smaller size or with fewer frames. */
const minBitsPerPixel = 0.04;

/** Height in pixels, and frames per second, below which video is not reduced. */
const smallest = { height: 144, fps: 8 } as const;

/** Distributes a number of bits per second among the streams. Bit rates are limited to what encoders support. */
export function distributeBits(bitsPerSecond: number, media: SizedMedia): BitratePlan {
  const audioBitrate = media.audioStreams === 0 ? undefined : audioBitrateFor(bitsPerSecond, media);
  const [video] = media.videos;
  if (video === undefined) return audioBitrate === undefined ? {} : { audioBitrate };
  const left = (bitsPerSecond - (audioBitrate ?? 0) * media.audioStreams) / media.videos.length;
  const videoBitrate = Math.round(Math.min(maxVideoBitrate, Math.max(minVideoBitrate, left)));
  return {
    ...(audioBitrate === undefined ? {} : { audioBitrate }),
    videoBitrate,
    video: reducedShape(videoBitrate, video),
  };
}

/** Returns the lowest number of bytes that the streams can have, without the container. */
export function smallestBytes({
  seconds,
  videos,
  audioStreams,
  audioRange,
  requestedAudioBitrate,
}: SizedMedia): number {
  const audioBitrate = requestedAudioBitrate ?? audioRange.min;
  return Math.ceil((seconds * (videos.length * minVideoBitrate + audioStreams * audioBitrate)) / 8);
}

function audioBitrateFor(bitsPerSecond: number, media: SizedMedia): number {
  const { requestedAudioBitrate, audioRange, audioStreams, videos } = media;
  if (requestedAudioBitrate !== undefined) return requestedAudioBitrate;
  const share = bitsPerSecond / audioStreams;
  const bitrate =
    videos.length === 0
      ? share
      : Math.min(audioShare.max, Math.max(audioShare.min, audioShare.fraction * share), share / 2);
  return Math.round(Math.min(audioRange.max, Math.max(audioRange.min, bitrate)));
}

/** Reduces the size of the frames first, then their number. */
function reducedShape(bitrate: number, { width, height, fps }: SizedVideo): Pick<VideoShape, 'maxHeight' | 'maxFps'> {
  const pixelsPerSecond = bitrate / minBitsPerPixel;
  const factor = Math.min(1, Math.sqrt(pixelsPerSecond / (width * height * fps)));
  if (factor === 1) return {};
  const maxHeight = Math.min(height, Math.max(smallest.height, 2 * Math.round((height * factor) / 2)));
  const pixels = width * height * (maxHeight / height) ** 2;
  const maxFps = Math.max(smallest.fps, pixelsPerSecond / pixels);
  return {
    ...(maxHeight < height ? { maxHeight } : {}),
    // Small deviations are not worth an uneven frame rate.
    ...(maxFps < 0.8 * fps ? { maxFps } : {}),
  };
}
