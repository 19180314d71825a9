/** How much of a file has arrived. */
export interface FileProgress {
  /** Bytes that are there, from its beginning and without a gap. */
  readonly bytes: number;
  /** Whether the file is complete. */
  readonly whole: boolean;
  /** Offsets at which its media resources end, as far as they have arrived. */
  readonly ends?: readonly number[];
}

/** The segments of a playlist that a file is put together from, in its order. */
export interface FileSegments {
  /** Number of the first one in the playlist, from 1. */
  readonly first: number;
  /** Segments of the whole playlist. */
  readonly inAll: number;
  /** Seconds that the playlist declares for each media resource of the file; null for initialization sections. */
  readonly seconds: readonly (number | null)[];
  /** Offset in the file at which each resource ends; absent until the file is complete. */
  readonly ends?: readonly number[];
}
