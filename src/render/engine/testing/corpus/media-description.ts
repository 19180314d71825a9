/** Description of a media file by the tests' own reader. */
export interface MediaDescription {
  /** Demuxer, with FFmpeg's name. */
  readonly format: string;
  readonly streams: readonly StreamDescription[];
}

/** A stream. */
export interface StreamDescription {
  readonly kind: 'video' | 'audio' | 'subtitle' | 'data' | 'attachment';
  /** Codec, with FFmpeg's name. */
  readonly codec: string;
  /** Duration of one tick of its clock, in seconds. */
  readonly tick: number;
  /** Number of frames that are decoded before the first one is presented. */
  readonly delay: number;
  /** Its flags: default, forced, comment, hearing impaired and cover. */
  readonly flags: readonly string[];
  /** Properties that players display or need, by name; absent if the file does not have them. */
  readonly traits: Readonly<Record<string, string>>;
  /** Hash of the content of all packets, one after another. */
  readonly essence: string;
  /** In file order, which is decoding order. */
  readonly packets: readonly PacketDescription[];
}

/** A packet that is not empty. */
export interface PacketDescription {
  /** Presentation time in ticks; null if the file does not declare it. */
  readonly pts: number | null;
  /** Decoding time in ticks; null if the file does not declare it. */
  readonly dts: number | null;
  /** Duration in ticks; 0 if the file does not declare it. */
  readonly duration: number;
  readonly key: boolean;
  /** Whether it is decoded but not presented. */
  readonly discard: boolean;
  readonly bytes: number;
  /** Number of samples at its end that players skip; absent if they skip none. */
  readonly skippedEnd?: number;
  /** Hash of its contents, independent of the container. */
  readonly essence: string;
}
