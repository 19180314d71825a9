import { sizeOf } from '../../files/open-file.ts';
import type { Journal, JournalRecord } from './journal.ts';
import { isByteCount, readHeadRecord } from './kept-head.ts';
import type { LastingHead } from './source.ts';

/** A piece of a file that is in its place. */
export interface KeptPiece {
  /** Where it begins in the file. */
  readonly at: number;
  /** Bytes of it in the file. */
  readonly bytes: number;
  /** What it was fetched from. */
  readonly head: LastingHead;
}

/** Which pieces of several files are there from before, and a note of those that come. */
export interface KeptPieces {
  /** The piece of a file by its place among the file's pieces. */
  find(file: number, piece: number): KeptPiece | undefined;
  /** Whether there is any piece of a file. */
  has(file: number): boolean;
  note(file: number, piece: number, kept: KeptPiece): void;
  /** Believes nothing of what is there from before. */
  forget(): Promise<void>;
}

/**
 * Reads what a journal tells of the pieces of files; nothing where `plan`, a digest of all that the pieces are, is
 * another one than it was.
 */
export async function openKeptPieces(journal: Journal, plan: string, paths: readonly string[]): Promise<KeptPieces> {
  const kept = await readKeptPieces(journal, plan, paths);
  const forget = async () => {
    for (const pieces of kept) pieces.clear();
    await journal.clear();
    journal.note(['plan', plan]);
  };
  if (kept.every((pieces) => pieces.size === 0)) await forget();
  return {
    find: (file, piece) => kept[file]?.get(piece),
    has: (file) => (kept[file]?.size ?? 0) > 0,
    note(file, piece, { at, bytes, head }) {
      journal.note(['piece', file, piece, at, bytes, head.version, head.total]);
    },
    forget,
  };
}

async function readKeptPieces(
  { records }: Journal,
  plan: string,
  paths: readonly string[],
): Promise<Map<number, KeptPiece>[]> {
  const kept = paths.map(() => new Map<number, KeptPiece>());
  const [first, ...others] = records;
  if (first?.[0] !== 'plan' || first[1] !== plan) return kept;
  // A child that has been started by now may have links to them.
  const sizes = await Promise.all(paths.map(async (path) => (await sizeOf(path, { links: 'any' })) ?? 0));
  for (const record of others) {
    const { file, piece, found } = readPiece(record) ?? {};
    if (file === undefined || piece === undefined || found === undefined) continue;
    if (found.bytes > 0 && found.at + found.bytes <= (sizes[file] ?? 0)) kept[file]?.set(piece, found);
  }
  return kept;
}

function readPiece([kind, file, piece, at, bytes, ...values]: JournalRecord) {
  const head = readHeadRecord(values);
  const numbers = isByteCount(file) && isByteCount(piece) && isByteCount(at) && isByteCount(bytes);
  return kind === 'piece' && numbers && head !== undefined ? { file, piece, found: { at, bytes, head } } : undefined;
}
