import type { InitialisationSection, Segment } from '../../hls/media.ts';
import type { Arrived } from '../engine/growth.ts';
import { createDecryptingWriter } from './decrypting-writer.ts';
import { fetchPart } from './fetch-part.ts';
import { createFileWriter } from './file-writer.ts';
import { createPiecedFile, type PiecedFile } from './pieced-file.ts';
import type { KeyStore } from './segment-keys.ts';
import { type ByteRange, type PartHead, type Source, SourceChanged } from './source.ts';
import { createTaskGroup } from './task-group.ts';

/** Segments of a playlist that go into one file. */
export interface SegmentRun {
  /** How something at an address is asked for, and what it is called in messages. */
  readonly source: (url: string, name: string) => Source;
  readonly segments: readonly Segment[];
  /** The sequence number of the playlist's first segment, which messages call segment 1. */
  readonly firstSequence: number;
  readonly keys: KeyStore;
  readonly path: string;
  /** When its first segment plays, and how long all of them do, in seconds. */
  readonly start: number;
  readonly duration: number;
}

/** What fetching segments needs. */
export interface SegmentsDownload {
  readonly runs: readonly SegmentRun[];
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Hears how many bytes have arrived; throws when they are too many. */
  readonly onBytes: (arrived: number) => void;
  /** Hears the part that has arrived, 0 to 1, by playing time. */
  readonly onProgress: (fraction: number) => void;
  /** Hears how much of a run's file is there from its beginning. */
  readonly onGrown: (path: string, arrived: Arrived) => void;
}

/** A segment, or what a player reads before it. */
interface Piece {
  readonly run: SegmentRun;
  readonly name: string;
  readonly url: string;
  readonly byteRange?: Segment['byteRange'];
  readonly keys: Segment['keys'];
  readonly sequence: number;
  /** When it plays, in seconds. */
  readonly start: number;
  /** Seconds; 0 for what is not media. */
  readonly duration: number;
}

/**
 * Fetches segments, several at a time and in the order in which they play, straight to their places in the file of each
 * run: a piece's place is known as soon as the sizes of those before it are; until then its connection is held back.
 * Returns the files' sizes in bytes.
 */
export async function downloadSegments(download: SegmentsDownload): Promise<number[]> {
  const { runs, concurrency } = download;
  const group = createTaskGroup(download.signal);
  const pieces = runs.map((run) => [...piecesOf(run)]);
  const files = new Map(
    runs.map((run, index) => {
      const onGrown = (arrived: Arrived) => download.onGrown(run.path, arrived);
      return [run, createPiecedFile(run.path, pieces[index]?.length ?? 0, onGrown)];
    }),
  );
  const waiting = pieces
    .flat()
    .toSorted((a, b) => a.start - b.start)
    [Symbol.iterator]();
  const tally = { bytes: 0, seconds: 0 };
  const seconds = runs.reduce((sum, { duration }) => sum + duration, 0);

  const work = async () => {
    for (const piece of waiting) {
      const file = files.get(piece.run);
      if (file !== undefined) await fetchPiece(download, piece, { file, signal: group.signal, tally, seconds });
    }
  };
  try {
    for (let worker = 0; worker < concurrency; worker += 1) group.run(work);
    await group.done();
    return [...files.values()].map(({ bytes }) => bytes);
  } finally {
    for (const file of files.values()) await file.close();
  }
}

interface Progress {
  readonly file: PiecedFile;
  readonly signal: AbortSignal;
  readonly tally: { bytes: number; seconds: number };
  /** Of all pieces together. */
  readonly seconds: number;
}

async function fetchPiece(download: SegmentsDownload, piece: Piece, progress: Progress): Promise<void> {
  const { tally } = progress;
  const { run } = piece;
  const { file, base, size, end } = await progress.file.take();
  const source = { ...run.source(piece.url, piece.name), signal: progress.signal };
  const part = rangeOf(piece);
  const length = part.to === undefined ? undefined : part.to - part.from + 1;
  let known: PartHead | undefined;
  let arrived = part.from;
  const share = (position: number) => {
    const total = length ?? known?.total;
    return total ? Math.min((position - part.from) / total, 1) * piece.duration : 0;
  };
  try {
    const cipher = await run.keys.cipherFor(piece.keys, piece.sequence, run.source);
    const decrypting = cipher && createDecryptingWriter(createFileWriter(file, base), cipher, part.from, source.name);
    const writer = decrypting ?? createFileWriter(file, part.from === 0 ? base : shifted(base, -part.from));
    const last = await fetchPart(source, part, writer, {
      head(head) {
        if (known !== undefined && known.total !== head.total) throw new SourceChanged(`${source.name} has a new size`);
        known = head;
        const bytes = length ?? head.total;
        // What is decrypted or decoded gets another size, which only its end tells.
        if (decrypting === undefined && head.coding === undefined && bytes !== undefined) size.resolve(bytes);
      },
      arrived(position) {
        tally.bytes += position - arrived;
        tally.seconds += share(position) - share(arrived);
        arrived = position;
        download.onBytes(tally.bytes);
        download.onProgress(tally.seconds / progress.seconds);
      },
      decoded: (bytes) => download.onBytes(tally.bytes + bytes),
    });
    const bytes = decrypting?.size ?? last - part.from;
    size.resolve(bytes);
    await end(bytes);
  } catch (error) {
    size.reject(error);
    throw error;
  }
}

function shifted(base: Promise<number>, by: number): Promise<number> {
  const place = base.then((at) => at + by);
  // Reported by the piece whose place it is.
  place.catch(() => undefined);
  return place;
}

function rangeOf({ byteRange }: Piece): ByteRange {
  if (byteRange === undefined) return { from: 0 };
  return { from: byteRange.offset, to: byteRange.offset + byteRange.length - 1 };
}

/** All pieces in the order of the file: an initialisation section comes once, before the segments it is for. */
function* piecesOf(run: SegmentRun): Generator<Piece, void> {
  let map: InitialisationSection | undefined;
  let { start } = run;
  for (const segment of run.segments) {
    if (segment.map !== undefined && segment.map !== map) {
      map = segment.map;
      const name = 'The initialisation section';
      yield { ...map, run, name, sequence: segment.sequence, start, duration: 0 };
    }
    yield { ...segment, run, start, name: `Segment ${segment.sequence - run.firstSequence + 1}` };
    start += segment.duration;
  }
}
