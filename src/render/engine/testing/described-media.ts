/** A stream of a file, as a test finds it. */
export interface DescribedStream {
  readonly kind: string;
  readonly codec: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Which of default, forced, cover, spherical and transparent it is, and whether it has a light level. */
  readonly flags: readonly string[];
  /** Degrees by which players turn it. */
  readonly turn?: number;
  /** Seconds of its own clock at which it begins and ends. */
  first?: number;
  end?: number;
  /** Of subtitles: the seconds and the bytes of each packet. */
  readonly cues: [seconds: number, bytes: string][];
}

/** A file, as a test finds it. */
export interface DescribedMedia {
  readonly metadata: Readonly<Record<string, string>>;
  readonly streams: readonly DescribedStream[];
}
