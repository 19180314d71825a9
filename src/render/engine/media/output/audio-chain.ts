import type { Frame } from 'node-av/lib';
import { AudioFilterChain } from './audio-filter-chain.ts';
import { type AudioTarget, formatFilter } from './audio-format.ts';
import { type AudioGain, gainFilters } from './audio-gain.ts';
import type { ClipWindow } from './clip-window.ts';
import type { Chain } from './decode-stream.ts';
import { silenceFilters } from './silence.ts';

/**
 * Converts the audio of a stream for a target. Fills gaps with silence. Otherwise the audio would run ahead of the video
 * after each gap.
 *
 * @param clip - what the result keeps, if it is a clip.
 */
export function createAudioChain(target: AudioTarget, gain: AudioGain | undefined, clip?: ClipWindow): Chain {
  const { format, filters, push } = target;
  // A gain is applied to floating-point samples, which cannot overflow.
  const common = gain === undefined ? filters[0] : formatFilter(format, 'fltp');
  const steps = (first: Frame) => [
    ['aresample', 'async=1'] as const,
    ...silenceFilters(clip, format.sampleRate, Number(first.pts)),
    ...gainFilters(gain, format.sampleRate),
    ...filters,
  ];
  const chain = new AudioFilterChain(format.sampleRate, () => [common], steps, push);
  return {
    push: (frame, base) => chain.push(frame, base),
    startPart: () => chain.endPart(),
    end: () => {
      chain.end();
      target.end();
    },
  };
}
