import { AV_SAMPLE_FMT_FLTP, type AVSampleFormat } from 'node-av/constants';
import type { Codec } from 'node-av/lib';
import type { EncoderChoice } from '../../formats/encoder-choice.ts';
import type { FilterSpec, TakeFrame } from './filter-chain.ts';

/** Sample rate in Hz and number of channels of a stream. */
export interface AudioFormat {
  readonly sampleRate: number;
  readonly channels: number;
}

/** Receives audio in one format: an encoder, or a meter. */
export interface AudioTarget {
  readonly format: AudioFormat;
  /** Filters that frames must pass before `push`. The first one gives them the same format. */
  readonly filters: readonly [format: FilterSpec, ...others: FilterSpec[]];
  readonly push: TakeFrame;
  /** Called after the last frame. */
  end(): void;
}

/** Bit rates that encoders support, in kbit/s, to try if an encoder refuses the requested one. */
const commonBitRates = [24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 240, 256, 320, 384, 448, 512];

/** Returns the format in which an encoder receives a stream: its rate and channels as far as the encoder supports them. */
export function encodedFormat(
  { maxChannels = 2, sampleRates }: EncoderChoice,
  { supportedSamplerates }: Codec,
  { sampleRate, channels }: AudioFormat,
): AudioFormat {
  return {
    sampleRate: supportedRate(sampleRate, sampleRates ?? supportedSamplerates),
    channels: supportedChannels(channels, maxChannels),
  };
}

/** Returns the sample format of an encoder. */
export function sampleFormatOf({ sampleFormats }: Codec): AVSampleFormat {
  return sampleFormats?.[0] ?? AV_SAMPLE_FMT_FLTP;
}

/**
 * Returns the bit rates to open an encoder with, in bit/s and in order of preference; undefined for an encoder without
 * loss.
 *
 * @param requested - in bit/s.
 */
export function bitRatesToTry(
  { bitRatePerChannel, maxBitRate }: EncoderChoice,
  { sampleRate, channels }: AudioFormat,
  requested: number | undefined,
): readonly number[] | undefined {
  if (bitRatePerChannel === undefined) return undefined;
  const limit = maxBitRate?.(sampleRate, channels) ?? Number.POSITIVE_INFINITY;
  const preferred = Math.min(requested ?? bitRatePerChannel * channels, limit);
  const others = commonBitRates.map((kilobits) => kilobits * 1000).filter((each) => each <= limit);
  return [preferred, ...others.toSorted((a, b) => Math.abs(a - preferred) - Math.abs(b - preferred))];
}

/** Returns the filter that converts audio to a format. */
export function formatFilter({ sampleRate, channels }: AudioFormat, sampleFormat: string): FilterSpec {
  return ['aformat', `sample_fmts=${sampleFormat}:sample_rates=${sampleRate}:channel_layouts=${layoutName(channels)}`];
}

/** Returns the requested rate if the encoder supports it, or else the next higher one, or else its highest. */
function supportedRate(rate: number, supported: readonly number[] | null): number {
  if (supported === null || supported.length === 0 || supported.includes(rate)) return rate;
  const ascending = supported.toSorted((a, b) => a - b);
  return ascending.find((each) => each >= rate) ?? ascending.at(-1) ?? rate;
}

/** Returns the number of channels to encode. Mono, stereo, 5.1 and 7.1 stay unchanged; anything else becomes stereo. */
function supportedChannels(channels: number, maxChannels: number): number {
  return channels <= maxChannels && (channels === 1 || channels === 6 || channels === 8) ? channels : 2;
}

/** Returns the name of the default layout of a supported number of channels. */
export function layoutName(channels: number): string {
  return channels === 1 ? 'mono' : channels === 6 ? '5.1' : channels === 8 ? '7.1' : 'stereo';
}
