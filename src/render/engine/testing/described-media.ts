/** Description of a stream for tests. */
export interface DescribedStream {
  readonly kind: string;
  readonly codec: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Its flags (default, forced, cover, spherical, transparent), and whether it has a light level or Dolby Vision. */
  readonly flags: readonly string[];
  /** Degrees by which players rotate it. */
  readonly turn?: number;
  /** Start and end in seconds of its own clock. */
  first?: number;
  end?: number;
  /** For subtitles: the seconds and the bytes of each packet. */
  readonly cues: [seconds: number, bytes: string][];
}

/** Description of a file for tests. */
export interface DescribedMedia {
  readonly metadata: Readonly<Record<string, string>>;
  readonly streams: readonly DescribedStream[];
}
