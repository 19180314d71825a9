import { AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_VVC, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import type { Stream } from 'node-av/lib';

/**
 * What a file says about when the pictures of a stream are shown: their times; times of decoding, which are the same
 * because no picture waits for a later one; or times of decoding alone, so that only a decoder can tell.
 */
export type PictureTimes = 'stored' | 'decoded' | 'unknown';

/** Demuxers of formats with one time for each packet. */
const oneTime: ReadonlySet<string> = new Set(['avi', 'asf']);

/** Codecs of which FFmpeg 8.1 guesses wrong times from times of decoding (libavformat/demux.c, `onein_oneout`). */
const reordered: ReadonlySet<number> = new Set([AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_VVC]);

/** What a file of a format says about the times of a stream. */
export function pictureTimesOf(
  format: string,
  { codecpar: { codecId, videoDelay } }: { readonly codecpar: Pick<Stream['codecpar'], 'codecId' | 'videoDelay'> },
): PictureTimes {
  if (!oneTime.has(format) || !reordered.has(codecId)) return 'stored';
  return videoDelay === 0 ? 'decoded' : 'unknown';
}

/** Seconds of one frame of a video stream; 0 when the rate is not known or there are no frames. */
export function frameSeconds({ codecpar, avgFrameRate: { num, den } }: Stream): number {
  return codecpar.codecType === AVMEDIA_TYPE_VIDEO && num > 0 && den > 0 ? den / num : 0;
}
