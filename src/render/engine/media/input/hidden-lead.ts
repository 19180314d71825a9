import { AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import type { Stream } from 'node-av/lib';
import { isoFormat } from '../../formats/demuxer-names.ts';

/**
 * Hidden audio that decoders need before the audio that plays. It is longer than the pre-roll of Opus (80 ms, RFC 7845
 * §4.6), the priming of AAC encoders, and the bit reservoir of MP3.
 */
const needed = { seconds: 0.1, packets: 4 } as const;

/** Packets at the beginning of a stream that its edit list hides, and that no decoder needs. */
export interface HiddenLead {
  readonly packets: number;
  readonly samples: number;
}

/**
 * Returns the unneeded part of the audio before the edit list of an MP4 track. The demuxer delivers a second of it
 * (FFmpeg 8.1), which containers without edit lists would play.
 */
export function hiddenLead(format: string, { codecpar }: Stream): HiddenLead | undefined {
  const { codecType, frameSize, sampleRate, initialPadding } = codecpar;
  if (format !== isoFormat || codecType !== AVMEDIA_TYPE_AUDIO || frameSize <= 0 || sampleRate <= 0) return undefined;
  const neededSamples = Math.max(needed.seconds * sampleRate, needed.packets * frameSize);
  const packets = Math.floor((initialPadding - neededSamples) / frameSize);
  if (packets <= 0) return undefined;
  return { packets, samples: packets * frameSize };
}
