import { createHash } from 'node:crypto';
import type { InitialisationSection, Segment } from '../../hls/media.ts';
import type { SegmentTable } from '../engine/tasks/segment-table.ts';
import type { KeyStore } from './segment-keys.ts';
import type { ByteRange, Source } from './source.ts';

/** Segments of a playlist that go into one file. */
export interface SegmentRun {
  /** How something at an address is asked for, and what it is called in messages. */
  readonly source: (url: string, name: string) => Source;
  readonly segments: readonly Segment[];
  /** The sequence number of the playlist's first segment, which messages call segment 1. */
  readonly firstSequence: number;
  /** Segments of the whole playlist. */
  readonly segmentsInAll: number;
  readonly keys: KeyStore;
  readonly path: string;
  /** When its first segment plays, and how long all of them do, in seconds. */
  readonly start: number;
  readonly duration: number;
}

/** A segment, or what a player reads before it. */
export interface Piece {
  readonly run: SegmentRun;
  /** Its place among the pieces of the run's file. */
  readonly order: number;
  readonly name: string;
  readonly url: string;
  readonly byteRange?: Segment['byteRange'];
  readonly keys: Segment['keys'];
  readonly sequence: number;
  /** When it plays, in seconds. */
  readonly start: number;
  /** Whether it is a segment, and not what a player reads before it. */
  readonly isSegment: boolean;
  /** Seconds; 0 for what is not media. */
  readonly duration: number;
}

/** All pieces in the order of the file: an initialisation section comes once, before the segments it is for. */
export function piecesOf(run: SegmentRun): Piece[] {
  const pieces: Piece[] = [];
  let map: InitialisationSection | undefined;
  let { start } = run;
  for (const segment of run.segments) {
    if (segment.map !== undefined && segment.map !== map) {
      map = segment.map;
      const name = 'The initialisation section';
      const { sequence } = segment;
      pieces.push({ ...map, run, order: pieces.length, name, sequence, start, isSegment: false, duration: 0 });
    }
    const name = `Segment ${segment.sequence - run.firstSequence + 1} of ${run.segmentsInAll}`;
    pieces.push({ ...segment, run, order: pieces.length, start, name, isSegment: true });
    start += segment.duration;
  }
  return pieces;
}

/** What the playlist says about the pieces of a run's file. */
export function segmentTable(run: SegmentRun): SegmentTable {
  const [first] = run.segments;
  return {
    first: (first?.sequence ?? run.firstSequence) - run.firstSequence + 1,
    inAll: run.segmentsInAll,
    seconds: piecesOf(run).map(({ isSegment, duration }) => (isSegment ? duration : null)),
  };
}

/** The bytes of a piece at its address. */
export function rangeOf({ byteRange }: Piece): ByteRange {
  if (byteRange === undefined) return { from: 0 };
  return { from: byteRange.offset, to: byteRange.offset + byteRange.length - 1 };
}

/**
 * A digest of what the pieces of files are. Queries of addresses do not count: they hold signatures, which are others
 * each time a playlist is fetched.
 */
export function digestOfPieces(files: readonly (readonly Piece[])[]): string {
  // Piece by piece: the text of all of them together would be many times as large as their playlist.
  const hash = createHash('sha256');
  for (const pieces of files) {
    hash.update(`${pieces.length} pieces\n`);
    for (const piece of pieces) hash.update(`${JSON.stringify(description(piece))}\n`);
  }
  return hash.digest('hex');
}

function description({ url, byteRange, keys, sequence, duration }: Piece): unknown[] {
  return [
    withoutQuery(url),
    byteRange ?? null,
    keys.map(({ method, url: key, iv }) => [method, withoutQuery(key ?? ''), iv && Buffer.from(iv).toString('hex')]),
    sequence,
    duration,
  ];
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '');
}
