import { AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_VVC, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import type { Stream } from 'node-av/lib';

/**
 * Timestamps that a file stores for the frames of a stream. `stored`: presentation timestamps. `dts`: decoding
 * timestamps that equal the presentation timestamps, because no frames are reordered. `unknown`: only decoding
 * timestamps, so only a decoder can find the presentation order.
 */
export type PtsSource = 'stored' | 'dts' | 'unknown';

/**
 * Codecs for which FFmpeg 8.1 guesses wrong presentation timestamps from decoding timestamps (libavformat/demux.c,
 * `onein_oneout`).
 */
const reorderingCodecs: ReadonlySet<number> = new Set([AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_VVC]);

/** The properties of a stream that matter here. */
interface CodedStream {
  readonly codecpar: Pick<Stream['codecpar'], 'codecId' | 'videoDelay'>;
}

/** Whether the frames of a stream may be displayed in a different order than they are stored. */
export function mayReorder({ codecpar: { codecId } }: CodedStream): boolean {
  return reorderingCodecs.has(codecId);
}

/** Returns the timestamp source of a stream. `isStored` is whether each packet has a presentation timestamp. */
export function ptsSourceOf(stream: CodedStream, isStored: boolean): PtsSource {
  if (isStored || !mayReorder(stream)) return 'stored';
  return stream.codecpar.videoDelay === 0 ? 'dts' : 'unknown';
}

/** Returns the duration of a frame of a video stream in seconds; 0 when the rate is unknown or there are no frames. */
export function frameSeconds({ codecpar, avgFrameRate: { num, den } }: Stream): number {
  return codecpar.codecType === AVMEDIA_TYPE_VIDEO && num > 0 && den > 0 ? den / num : 0;
}
