/** The segments of a playlist that a file was put together from, in its order. */
export interface PlaylistSegments {
  /** Number of the first one in the playlist, from 1. */
  readonly first: number;
  /** Segments of the whole playlist. */
  readonly inAll: number;
  /** Seconds that the playlist declares for each chunk of the file; null for initialization sections. */
  readonly seconds: readonly (number | null)[];
  /** Offset in the file at which each chunk ends. While the file arrives, reports of arrived ranges contain them instead. */
  readonly ends?: readonly number[];
}

/** A segment of a {@link PlaylistSegments}. */
export interface PlaylistSegment {
  /** Its place among the chunks of the file. */
  readonly chunk: number;
  /** Number in the playlist, from 1. */
  readonly number: number;
  /** Seconds that the playlist declares. */
  readonly declaredDuration: number;
}

/** The segments of a table. */
export function listSegments({ first, seconds }: PlaylistSegments): PlaylistSegment[] {
  const segments: PlaylistSegment[] = [];
  seconds.forEach((declaredDuration, chunk) => {
    if (declaredDuration !== null) segments.push({ chunk, number: first + segments.length, declaredDuration });
  });
  return segments;
}
