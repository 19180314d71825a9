import type { ContainerFormat } from '../../formats/container-formats.ts';
import type { Tags } from '../../tags/tags.ts';
import type { Loudness } from './loudness-meter.ts';

/** Loudness that `R128_TRACK_GAIN` refers to, in LUFS (RFC 7845 §5.2.1). */
const opusReference = -23;

/** Range of `R128_TRACK_GAIN`, a 16-bit number. */
const maxOpusGain = 32_767;

/** Copied audio: its loudness, and the one that players are to reach. */
interface CopiedAudio {
  readonly loudness: Loudness & { readonly lufs: number };
  /** In LUFS. */
  readonly target: number;
  readonly codec: string;
}

/**
 * Returns the tags that tell players how to change the volume of copied audio. ReplayGain states the change that leads
 * to the requested loudness. Ogg Opus files also state the change that leads to the loudness of their own standard.
 */
export function replayGainTags({ loudness, target, codec }: CopiedAudio, container: ContainerFormat): Tags {
  const { lufs, peak } = loudness;
  const opusGain = Math.round(256 * (opusReference - lufs));
  return {
    replaygain_track_gain: `${(target - lufs).toFixed(2)} dB`,
    replaygain_track_peak: (10 ** (peak / 20)).toFixed(6),
    ...(codec === 'opus' && container.additions === 'ogg'
      ? { r128_track_gain: `${Math.max(-maxOpusGain, Math.min(maxOpusGain, opusGain))}` }
      : {}),
  };
}
