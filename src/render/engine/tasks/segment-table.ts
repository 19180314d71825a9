/** The segments of a playlist that a file was put together from, in its order. */
export interface SegmentTable {
  /** Number of the first one in the playlist, from 1. */
  readonly first: number;
  /** Segments of the whole playlist. */
  readonly inAll: number;
  /** Seconds that the playlist declares for each chunk of the file; null for initialization sections. */
  readonly seconds: readonly (number | null)[];
  /** Offset in the file at which each chunk ends. While the file arrives, reports of arrived ranges contain them instead. */
  readonly ends?: readonly number[];
}

/** A segment of a {@link SegmentTable}. */
export interface TableSegment {
  /** Its place among the chunks of the file. */
  readonly chunk: number;
  /** Number in the playlist, from 1. */
  readonly number: number;
  /** Seconds that the playlist declares. */
  readonly declared: number;
}

/** The segments of a table. */
export function segmentsOf({ first, seconds }: SegmentTable): TableSegment[] {
  const segments: TableSegment[] = [];
  seconds.forEach((declared, chunk) => {
    if (declared !== null) segments.push({ chunk, number: first + segments.length, declared });
  });
  return segments;
}
