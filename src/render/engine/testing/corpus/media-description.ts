/** What the tests' own reader finds in a media file. */
export interface MediaDescription {
  /** Demuxer as FFmpeg names it. */
  readonly format: string;
  readonly streams: readonly StreamDescription[];
}

/** A stream. */
export interface StreamDescription {
  readonly kind: 'video' | 'audio' | 'subtitle' | 'data' | 'attachment';
  /** Codec as FFmpeg names it. */
  readonly codec: string;
  /** Seconds of one tick of its clock. */
  readonly tick: number;
  /** Pictures that are decoded before the first one is shown. */
  readonly delay: number;
  /** Which of default, forced, comment, hearing impaired and cover it is. */
  readonly flags: readonly string[];
  /** Properties that players show or need, by name; absent if the file does not have them. */
  readonly traits: Readonly<Record<string, string>>;
  /** Hash of what all packets hold, one after another. */
  readonly essence: string;
  /** In the order of the file, which is that of decoding. */
  readonly packets: readonly PacketDescription[];
}

/** A packet that is not empty. */
export interface PacketDescription {
  /** When it is shown, in ticks; null if the file does not say. */
  readonly pts: number | null;
  /** When it is decoded, in ticks; null where the file does not say. */
  readonly dts: number | null;
  /** For how many ticks it is shown; 0 where the file does not say. */
  readonly duration: number;
  readonly key: boolean;
  /** Whether it is decoded but not shown. */
  readonly discard: boolean;
  readonly bytes: number;
  /** Hash of its contents, independent of the container. */
  readonly essence: string;
}
