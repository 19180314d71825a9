import type { EncoderChoice } from './encoder-choice.ts';

/** Maximum size of an AAC frame: 6144 bits for 1024 samples of a channel (ISO/IEC 14496-3 §4.5.3.1). */
const maxAacBitRate = (sampleRate: number, channels: number) => 6 * sampleRate * channels;

/**
 * The constant bit rates of MP3 in kbit/s, for sample rates from 32 kHz on, and for lower ones (ISO/IEC 13818-3
 * §2.4.2.3). LAME encodes sample rates below 16 kHz with at most 64 kbit/s.
 */
const mp3Kilobits = {
  high: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  low: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  lowest: [8, 16, 24, 32, 40, 48, 56, 64],
} as const;

/** Returns the constant bit rates of MP3 for a sample rate, in bit/s and in ascending order. */
export function mp3BitRates(sampleRate: number): readonly number[] {
  const kilobits =
    sampleRate >= 32_000 ? mp3Kilobits.high : sampleRate >= 16_000 ? mp3Kilobits.low : mp3Kilobits.lowest;
  return kilobits.map((each) => 1000 * each);
}

/** Fraction by which a constant bit rate may differ from the requested one. */
const mp3Tolerance = 0.1;

/** Options with which LAME reaches a bit rate between the constant ones on average. */
export const averageMp3BitRate: Readonly<Record<string, string>> = { abr: '1' };

/** LAME uses the nearest constant bit rate. If that is too far away, the requested one is only reached on average. */
function mp3Options(bitRate: number, sampleRate: number): Readonly<Record<string, string>> {
  const isNear = mp3BitRates(sampleRate).some((each) => Math.abs(each / bitRate - 1) <= mp3Tolerance);
  return isNear ? {} : averageMp3BitRate;
}

const stereo = { options: {}, bitRatePerChannel: 64_000, maxChannels: 8 } as const;

/** The encoders of each audio codec that results are encoded with. */
export const audioEncoders = {
  aac: [
    // Twice as fast as FFmpeg's own encoder, and missing from some builds.
    { name: 'libfdk_aac', ...stereo, maxBitRate: maxAacBitRate },
    { name: 'aac', ...stereo, maxBitRate: maxAacBitRate },
  ],
  opus: [
    // Without this, noise gets a third more.
    { name: 'libopus', ...stereo, bitRateOptions: () => ({ vbr: 'constrained' }) },
  ],
  mp3: [
    {
      name: 'libmp3lame',
      options: {},
      bitRatePerChannel: 96_000,
      maxBitRate: (sampleRate) => Math.max(...mp3BitRates(sampleRate)),
      bitRateOptions: mp3Options,
      maxChannels: 2,
    },
  ],
  // libvorbis has no setup for higher sample rates.
  vorbis: [
    {
      name: 'libvorbis',
      ...stereo,
      sampleRates: [8000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000],
      // Without a maximum, the encoder only estimates the quality that leads to the bit rate.
      bitRateOptions: (bitRate) => ({ maxrate: `${Math.round(1.3 * bitRate)}` }),
    },
  ],
  flac: [{ name: 'flac', options: {}, maxChannels: 8 }],
  pcm: [{ name: 'pcm_s16le', options: {}, maxChannels: 8 }],
} as const satisfies Readonly<Record<string, readonly EncoderChoice[]>>;
