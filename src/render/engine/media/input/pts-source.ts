import { AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_VVC, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import type { Stream } from 'node-av/lib';

/**
 * What a file says about when the frames of a stream are shown: their times; times of decoding, which are the same
 * because no frame waits for a later one; or times of decoding alone, so that only a decoder can tell.
 */
export type PtsSource = 'stored' | 'dts' | 'unknown';

/** Codecs of which FFmpeg 8.1 guesses wrong times from times of decoding (libavformat/demux.c, `onein_oneout`). */
const reorderingCodecs: ReadonlySet<number> = new Set([AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_VVC]);

/** The properties of a stream that matter here. */
interface CodedStream {
  readonly codecpar: Pick<Stream['codecpar'], 'codecId' | 'videoDelay'>;
}

/** Whether the frames of a stream may be shown in another order than that in which the file has them. */
export function mayReorder({ codecpar: { codecId } }: CodedStream): boolean {
  return reorderingCodecs.has(codecId);
}

/** What a file says about the times of a stream; `isStored`: whether each packet has the time at which it is shown. */
export function ptsSourceOf(stream: CodedStream, isStored: boolean): PtsSource {
  if (isStored || !mayReorder(stream)) return 'stored';
  return stream.codecpar.videoDelay === 0 ? 'dts' : 'unknown';
}

/** Seconds of one frame of a video stream; 0 when the rate is not known or there are no frames. */
export function frameSeconds({ codecpar, avgFrameRate: { num, den } }: Stream): number {
  return codecpar.codecType === AVMEDIA_TYPE_VIDEO && num > 0 && den > 0 ? den / num : 0;
}
