import type { EncodingOptions, VideoShape } from '../../../../contract/encoding.ts';
import type { Track } from '../../track-plan/track.ts';
import type { AudioGain } from './audio-gain.ts';

/** Settings of a result's encoders. The encoders choose those that are absent. */
export interface EncodeSettings {
  /** Bit rate of each encoded audio stream, in bit/s. Encoders without loss ignore it. */
  readonly audioBitrate?: number;
  /** Changes of the volume of encoded audio. */
  readonly gains?: ReadonlyMap<Track, AudioGain>;
  readonly video?: VideoShape;
  /** Average bit rate of encoded video, in bit/s, in place of constant quality. */
  readonly videoBitrate?: number;
  /** Additional options of the video encoder, such as those of a pass, by FFmpeg's names. */
  readonly videoOptions?: Readonly<Record<string, string>>;
  /** Additional options of the audio encoder, by FFmpeg's names. */
  readonly audioOptions?: Readonly<Record<string, string>>;
}

/** Returns the settings that the options of an operation state. */
export function encodeSettingsOf({ audioBitrate, video }: EncodingOptions): EncodeSettings {
  return {
    ...(audioBitrate === undefined ? {} : { audioBitrate: audioBitrate * 1000 }),
    ...(video === undefined ? {} : { video }),
  };
}
