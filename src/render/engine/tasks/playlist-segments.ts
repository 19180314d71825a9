/** The segments of a playlist that a file was assembled from, in order. */
export interface PlaylistSegments {
  /** Number of the first segment in the playlist, from 1. */
  readonly first: number;
  /** Number of segments in the whole playlist. */
  readonly inAll: number;
  /** Declared duration of each chunk of the file in seconds; null for initialization sections. */
  readonly seconds: readonly (number | null)[];
  /** Indexes of the chunks whose address and byte range the playlist has listed before, in this file. */
  readonly relisted?: readonly number[];
  /**
   * Offset in the file at which each chunk ends. While the file arrives, the reports of arrived ranges contain these
   * offsets instead.
   */
  readonly ends?: readonly number[];
}

/** A segment of a {@link PlaylistSegments}. */
export interface PlaylistSegment {
  /** Its index among the chunks of the file. */
  readonly chunk: number;
  /** Number in the playlist, from 1. */
  readonly number: number;
  /** Duration that the playlist declares, in seconds. */
  readonly declaredDuration: number;
}

/** Returns the segments of a table. */
export function listSegments({ first, seconds }: PlaylistSegments): PlaylistSegment[] {
  const segments: PlaylistSegment[] = [];
  seconds.forEach((declaredDuration, chunk) => {
    if (declaredDuration !== null) segments.push({ chunk, number: first + segments.length, declaredDuration });
  });
  return segments;
}
