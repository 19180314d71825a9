import type { FileHandle } from 'node:fs/promises';
import { openForWriting, sizeOf } from '../../files/open-file.ts';
import { type ByteRange, mergeRanges } from './byte-ranges.ts';
import { isByteCount, readHeadRecord } from './head-record.ts';
import type { Journal, JournalRecord } from './journal.ts';
import type { LastingHead } from './source.ts';

/** A file that a former process has fetched in part. */
export interface ResumableFile {
  readonly head: LastingHead;
  /** What it has stored; in order, and no range touches another. */
  readonly stored: readonly ByteRange[];
}

/** Records which version of a file is fetched; ranges that are recorded later belong to it. */
export function recordHead(journal: Journal, { version, total }: LastingHead): void {
  journal.note(['head', version, total]);
}

/** Records that bytes of the file are in their place. */
export function recordRange(journal: Journal, { from, end }: ByteRange): void {
  journal.note(['span', from, end]);
}

/** Reads a journal's state of the file at a path. A child of the former run may have written both. */
export async function readResumableFile({ records }: Journal, path: string): Promise<ResumableFile | undefined> {
  const [first, ...others] = records;
  const [kind, ...values] = first ?? [];
  const head = kind === 'head' ? readHeadRecord(values) : undefined;
  if (head === undefined) return undefined;
  const most = Math.min((await sizeOf(path)) ?? 0, head.total);
  const stored = mergeRanges(others.flatMap((record) => readRange(record, head.total)));
  const end = stored.at(-1)?.end;
  return end === undefined || end > most ? undefined : { head, stored };
}

function readRange([kind, from, end]: JournalRecord, total: number): ByteRange[] {
  const fits = kind === 'span' && isByteCount(from) && isByteCount(end) && from < end && end <= total;
  return fits ? [{ from, end }] : [];
}

/** Opens a file to continue it, or an empty one if nothing is `resumable`. @throws UnsafeFileError */
export function openResumable(path: string, resumable: unknown): Promise<FileHandle> {
  return openForWriting(path, { keep: resumable !== undefined });
}
