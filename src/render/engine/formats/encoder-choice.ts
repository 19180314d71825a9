/** An encoder and its options. */
export interface EncoderChoice {
  /** FFmpeg's name of the encoder. */
  readonly name: string;
  /** Encoder options, by FFmpeg's names. */
  readonly options: Readonly<Record<string, string>>;
  /** Options for constant quality, which is used without a bit rate. */
  readonly quality?: Readonly<Record<string, string>>;
  /** Minimum width and height of video, in pixels. */
  readonly minSide?: number;
  /** Default bit rate for each audio channel, in bit/s. Encoders without loss have none. */
  readonly bitRatePerChannel?: number;
  /** Returns the highest bit rate that it reaches, in bit/s. Default: the highest one with which it can be opened. */
  readonly maxBitRate?: (sampleRate: number, channels: number) => number;
  /** Returns additional options for a requested bit rate in bit/s. */
  readonly bitRateOptions?: (bitRate: number, sampleRate: number) => Readonly<Record<string, string>>;
  /** Maximum number of audio channels. */
  readonly maxChannels?: number;
  /** Sample rates in Hz, if the library does not report them. */
  readonly sampleRates?: readonly number[];
}
