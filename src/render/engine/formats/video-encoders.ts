import type { VideoCodec } from '../../../contract/encoding.ts';
import type { EncoderChoice } from './encoder-choice.ts';

/**
 * The encoders of each codec. The presets encode 1080p on two cores in a small multiple of its duration, and the
 * qualities look alike.
 */
export const videoEncoders: Readonly<Record<VideoCodec, readonly EncoderChoice[]>> = {
  h264: [{ name: 'libx264', options: { preset: 'veryfast' }, quality: { crf: '23' } }],
  h265: [
    {
      name: 'libx265',
      options: { preset: 'superfast', 'x265-params': 'log-level=error' },
      quality: { crf: '26' },
      minSide: 16,
    },
  ],
  vp9: [
    {
      name: 'libvpx-vp9',
      options: { deadline: 'realtime', 'cpu-used': '6', 'row-mt': '1', 'tile-columns': '2' },
      quality: { crf: '33', b: '0' },
    },
  ],
  av1: [
    { name: 'libsvtav1', options: { preset: '10' }, quality: { crf: '35' }, minSide: 64 },
    { name: 'libaom-av1', options: { usage: 'realtime', 'cpu-used': '8', 'row-mt': '1' }, quality: { crf: '35' } },
  ],
};
