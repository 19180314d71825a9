import type { ArrivedRange } from '../engine/tasks/growing-files.ts';
import { createDecryptingWriter } from './decrypting-writer.ts';
import { fetchPart } from './fetch-part.ts';
import { type ByteWriter, createFileWriter } from './file-writer.ts';
import type { Journal } from './journal.ts';
import { type KeptPiece, type KeptPieces, openKeptPieces } from './kept-pieces.ts';
import { createPiecedFile, type Place } from './pieced-file.ts';
import { digestOfPieces, type Piece, piecesOf, rangeOf, type SegmentRun } from './pieces.ts';
import { createSegmentWriter } from './segment-writer.ts';
import { lastingHead, type PartHead, SourceChanged } from './source.ts';
import { createTaskGroup } from './task-group.ts';

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
  readonly onGrown: (path: string, arrived: ArrivedRange) => void;
  readonly journal: Journal;
}

/**
 * Fetches segments, several at a time and in the order in which they play, straight to their places in the file of each
 * run: a piece's place is known as soon as the sizes of those before it are; until then its connection is held back.
 * Pieces that are there from before are not fetched again. Returns the files' sizes in bytes.
 *
 * @throws SourceChanged when one of those has no longer the place that it had.
 */
export async function downloadSegments(download: SegmentsDownload): Promise<number[]> {
  const { runs, concurrency } = download;
  const pieces = runs.map(piecesOf);
  const kept = await openKept(download, pieces);
  const files = runs.map(({ path }, index) => {
    const onGrown = (arrived: ArrivedRange) => download.onGrown(path, arrived);
    return createPiecedFile(path, pieces[index]?.length ?? 0, onGrown, kept.has(index));
  });
  const group = createTaskGroup(download.signal);
  const waiting = pieces
    .flatMap((own, index) => own.map((piece) => ({ piece, index })))
    .toSorted((a, b) => a.piece.start - b.piece.start)
    [Symbol.iterator]();
  const tally = { bytes: 0, seconds: 0 };
  const seconds = runs.reduce((sum, { duration }) => sum + duration, 0);

  const work = async () => {
    for (const { piece, index } of waiting) {
      const file = files[index];
      if (file === undefined) continue;
      const place = await file.take();
      const found = kept.find(index, piece.order);
      const progress = { place, signal: group.signal, tally, seconds };
      if (found !== undefined) await keepPiece(download, piece, found, progress);
      else await fetchPiece(download, piece, progress, (now) => kept.note(index, piece.order, now));
    }
  };
  try {
    for (let worker = 0; worker < concurrency; worker += 1) group.run(work);
    await group.done();
    return files.map(({ bytes }) => bytes);
  } finally {
    for (const file of files) await file.close();
  }
}

/**
 * What is there from before, unless the source has changed since: where something is missing, the last of it is asked
 * for again, one byte of it.
 */
async function openKept({ runs, journal, signal }: SegmentsDownload, pieces: readonly Piece[][]): Promise<KeptPieces> {
  const paths = runs.map(({ path }) => path);
  const kept = await openKeptPieces(journal, digestOfPieces(pieces), paths);
  const found = pieces.flatMap((own, index) => own.map((piece) => ({ piece, before: kept.find(index, piece.order) })));
  const last = found.findLast(({ before }) => before !== undefined);
  const whole = found.every(({ before }) => before !== undefined);
  if (last?.before !== undefined && !whole && !(await isUnchanged(last.piece, last.before, signal)))
    await kept.forget();
  return kept;
}

async function isUnchanged(piece: Piece, { head: before }: KeptPiece, signal: AbortSignal): Promise<boolean> {
  const { from } = rangeOf(piece);
  const source = { ...piece.run.source(piece.url, piece.name), signal };
  const nowhere: ByteWriter = {
    write: () => undefined,
    flush: async () => undefined,
    finish: async () => undefined,
  };
  let same = false;
  await fetchPart(source, { from, to: from }, nowhere, {
    head({ version, total }) {
      same = version === before.version && total === before.total;
    },
    arrived: () => undefined,
    decoded: () => undefined,
  });
  return same;
}

interface Progress {
  readonly place: Place;
  readonly signal: AbortSignal;
  readonly tally: { bytes: number; seconds: number };
  /** Of all pieces together. */
  readonly seconds: number;
}

async function keepPiece(
  download: SegmentsDownload,
  { name, duration }: Piece,
  { at, bytes }: KeptPiece,
  { place, tally, seconds }: Progress,
): Promise<void> {
  place.size.resolve(bytes);
  if ((await place.base) !== at) throw new SourceChanged(`${name} has another place than it had`);
  tally.bytes += bytes;
  tally.seconds += duration;
  download.onBytes(tally.bytes);
  await place.end(bytes);
  download.onProgress(tally.seconds / seconds);
}

async function fetchPiece(
  download: SegmentsDownload,
  piece: Piece,
  progress: Progress,
  onDone: (kept: KeptPiece) => void,
): Promise<void> {
  const { tally } = progress;
  const { run } = piece;
  const { file, base, size, end } = progress.place;
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
    const plain = decrypting ?? createFileWriter(file, part.from === 0 ? base : shifted(base, -part.from));
    const writer = createSegmentWriter(plain, source, part.from);
    const last = await fetchPart(source, part, writer, {
      head(head) {
        // An empty response does not count: the segment is requested again.
        if (head.total === 0) return;
        if (known?.total !== undefined && known.total !== head.total) {
          throw new SourceChanged(`${source.name} has a new size`);
        }
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
    const head = known && lastingHead(known);
    if (head !== undefined) onDone({ at: await base, bytes, head });
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
