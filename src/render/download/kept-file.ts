import { type FileHandle, open, stat } from 'node:fs/promises';
import { ifMissing } from '../../if-missing.ts';
import type { Journal } from './journal.ts';
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

/** Reads what a journal tells of the file at a path. */
export async function readKeptFile({ records }: Journal, path: string): Promise<KeptFile | undefined> {
  const [first, ...others] = records;
  const [kind, version, total] = first ?? [];
  if (kind !== 'head' || typeof version !== 'string' || typeof total !== 'number') return undefined;
  const spans = merged(others.flatMap(readSpan));
  const end = spans.at(-1)?.end;
  const there = (await stat(path).catch(ifMissing))?.size ?? 0;
  return end === undefined || end > Math.min(there, total) ? undefined : { head: { version, total }, spans };
}

function readSpan([kind, from, end]: readonly [string, ...unknown[]]): Span[] {
  return kind === 'span' && typeof from === 'number' && typeof end === 'number' ? [{ from, end }] : [];
}

/** Opens a file to go on with it, or an empty one. */
export function openKept(path: string, kept: unknown): Promise<FileHandle> {
  return open(path, kept === undefined ? 'w' : 'r+');
}
