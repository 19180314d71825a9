import { type FileHandle, open } from 'node:fs/promises';
import type { InitialisationSection, Segment } from '../../hls/media.ts';
import { createDecryptingWriter } from './decrypting-writer.ts';
import { fetchPart } from './fetch-part.ts';
import { createFileWriter } from './file-writer.ts';
import type { KeyStore } from './segment-keys.ts';
import { type ByteRange, type PartHead, type Source, SourceChanged } from './source.ts';
import { createTaskGroup } from './task-group.ts';

/** What fetching the segments of one playlist needs. */
export interface SegmentsDownload {
  /** How something at an address is asked for, and what it is called in messages. */
  readonly source: (url: string, name: string) => Source;
  readonly segments: readonly Segment[];
  /** The sequence number of the playlist's first segment, which messages call segment 1. */
  readonly firstSequence: number;
  readonly keys: KeyStore;
  readonly concurrency: number;
  readonly path: string;
  /** Hears how many bytes have arrived; throws when they are too many. */
  readonly onBytes: (arrived: number) => void;
  /** Hears the part that has arrived, 0 to 1, by playing time. */
  readonly onProgress: (fraction: number) => void;
}

/** A segment, or what a player reads before it. */
interface Piece {
  readonly name: string;
  readonly url: string;
  readonly byteRange?: Segment['byteRange'];
  readonly keys: Segment['keys'];
  readonly sequence: number;
  /** Seconds; 0 for what is not media. */
  readonly duration: number;
}

/**
 * Fetches segments, several at a time, straight to their places in one file: a piece's place is known as soon as the
 * sizes of those before it are; until then its connection is held back. Returns the file's size in bytes.
 */
export async function downloadSegments(download: SegmentsDownload): Promise<number> {
  const { segments, concurrency, path } = download;
  const [first] = segments;
  const group = createTaskGroup(download.source(first?.url ?? '', '').signal);
  const file = await open(path, 'w');
  const pieces = piecesOf(download);
  const seconds = segments.reduce((sum, { duration }) => sum + duration, 0);
  const tally = { bytes: 0, seconds: 0 };
  let end: Promise<number> = Promise.resolve(0);

  const work = async () => {
    for (let next = pieces.next(); next.done !== true; next = pieces.next()) {
      const base = end;
      const size = Promise.withResolvers<number>();
      end = Promise.all([base, size.promise]).then(([at, bytes]) => at + bytes);
      // When a piece fails, so do the places behind it; the group reports the piece's own error.
      end.catch(() => undefined);
      await fetchPiece(download, next.value, { file, base, size, signal: group.signal, tally, seconds });
    }
  };
  try {
    for (let worker = 0; worker < concurrency; worker += 1) group.run(work);
    await group.done();
    return await end;
  } finally {
    await file.close();
  }
}

/** A piece's place in the file, behind the one before it. */
interface Place {
  readonly file: FileHandle;
  readonly base: Promise<number>;
  readonly size: PromiseWithResolvers<number>;
  readonly signal: AbortSignal;
  readonly tally: { bytes: number; seconds: number };
  /** Of all pieces together. */
  readonly seconds: number;
}

async function fetchPiece(download: SegmentsDownload, piece: Piece, place: Place): Promise<void> {
  const { file, base, size, tally } = place;
  const source = { ...download.source(piece.url, piece.name), signal: place.signal };
  const part = rangeOf(piece);
  const length = part.to === undefined ? undefined : part.to - part.from + 1;
  let known: PartHead | undefined;
  let arrived = part.from;
  const share = (position: number) => {
    const total = length ?? known?.total;
    return total ? Math.min((position - part.from) / total, 1) * piece.duration : 0;
  };
  try {
    const cipher = await download.keys.cipherFor(piece.keys, piece.sequence, download.source);
    const decrypting = cipher && createDecryptingWriter(createFileWriter(file, base), cipher, part.from, source.name);
    const writer = decrypting ?? createFileWriter(file, part.from === 0 ? base : shifted(base, -part.from));
    const end = await fetchPart(source, part, writer, {
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
        download.onProgress(tally.seconds / place.seconds);
      },
      decoded: (bytes) => download.onBytes(tally.bytes + bytes),
    });
    size.resolve(decrypting?.size ?? end - part.from);
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
function* piecesOf({ segments, firstSequence }: SegmentsDownload): Generator<Piece, void> {
  let map: InitialisationSection | undefined;
  for (const segment of segments) {
    if (segment.map !== undefined && segment.map !== map) {
      map = segment.map;
      yield { ...map, name: 'The initialisation section', sequence: segment.sequence, duration: 0 };
    }
    yield { ...segment, name: `Segment ${segment.sequence - firstSequence + 1}` };
  }
}
