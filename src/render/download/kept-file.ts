import type { FileHandle } from 'node:fs/promises';
import { openToWrite, sizeOf } from '../../files/open-file.ts';
import type { Journal, JournalRecord } from './journal.ts';
import { isByteCount, readHeadRecord } from './kept-head.ts';
import type { LastingHead } from './source.ts';
import { merged, type Span } from './spans.ts';

/** What is there of a file that another process began to fetch. */
export interface KeptFile {
  readonly head: LastingHead;
  /** In order, and none touches another. */
  readonly spans: readonly Span[];
}

/** Writes down which version of a file is fetched; the spans that are noted are of it. */
export function noteHead(journal: Journal, { version, total }: LastingHead): void {
  journal.note(['head', version, total]);
}

/** Writes down that bytes of the file are in their place. */
export function noteSpan(journal: Journal, { from, end }: Span): void {
  journal.note(['span', from, end]);
}

/** Reads a journal's state of the file at a path. A child of the former run may have written both. */
export async function readKeptFile({ records }: Journal, path: string): Promise<KeptFile | undefined> {
  const [first, ...others] = records;
  const [kind, ...values] = first ?? [];
  const head = kind === 'head' ? readHeadRecord(values) : undefined;
  if (head === undefined) return undefined;
  const most = Math.min((await sizeOf(path)) ?? 0, head.total);
  const spans = merged(others.flatMap((record) => readSpan(record, head.total)));
  const end = spans.at(-1)?.end;
  return end === undefined || end > most ? undefined : { head, spans };
}

function readSpan([kind, from, end]: JournalRecord, total: number): Span[] {
  const fits = kind === 'span' && isByteCount(from) && isByteCount(end) && from < end && end <= total;
  return fits ? [{ from, end }] : [];
}

/** Opens a file to continue it, or an empty one. @throws UnsafeFileError */
export function openKept(path: string, kept: unknown): Promise<FileHandle> {
  return openToWrite(path, { keep: kept !== undefined });
}
