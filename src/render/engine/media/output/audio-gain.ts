import type { FilterSpec } from './filter-chain.ts';

/** Highest true peak of audio that is adjusted, in dBTP. Encoders with loss exceed it by up to half a decibel. */
export const peakCeiling = -1.5;

/** A change of the volume. */
export interface AudioGain {
  readonly decibels: number;
  /** Whether a limiter keeps the peaks below {@link peakCeiling}. */
  readonly limited: boolean;
}

/** Factor by which audio is oversampled for the limiter, so that it sees the peaks between samples (ITU-R BS.1770-5). */
const oversampling = 4;

/** Returns the filters that apply a gain to floating-point audio. */
export function gainFilters(gain: AudioGain | undefined, sampleRate: number): readonly FilterSpec[] {
  if (gain === undefined) return [];
  const volume: FilterSpec = ['volume', `volume=${gain.decibels.toFixed(3)}dB:precision=float`];
  if (!gain.limited) return [volume];
  const limit = (10 ** (peakCeiling / 20)).toFixed(4);
  return [
    volume,
    ['aresample', `${oversampling * sampleRate}`],
    ['alimiter', `limit=${limit}:level=disabled:latency=1`],
    ['aresample', `${sampleRate}`],
  ];
}
