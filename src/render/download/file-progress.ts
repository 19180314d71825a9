/** How much of a file has arrived. */
export interface FileProgress {
  /** Number of bytes present from the start of the file without a gap. */
  readonly bytes: number;
  /** Whether the file is complete. */
  readonly whole: boolean;
  /** End offsets of the media resources that have arrived. */
  readonly ends?: readonly number[];
}

/** The segments of a playlist that a file consists of, in playlist order. */
export interface FileSegments {
  /** Number of the first segment in the playlist; counted from 1. */
  readonly first: number;
  /** Number of segments in the whole playlist. */
  readonly inAll: number;
  /**
   * Duration in seconds of each media resource of the file, as declared by the playlist; null for initialization
   * sections.
   */
  readonly seconds: readonly (number | null)[];
  /** Indexes of the resources whose URL and byte range the playlist has listed before, in this file. */
  readonly relisted?: readonly number[];
  /** End offset in the file of each resource; absent until the file is complete. */
  readonly ends?: readonly number[];
}
