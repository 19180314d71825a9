import type { FileHandle } from 'node:fs/promises';
import { openForWriting, sizeOf } from '../../files/open-file.ts';
import { type ByteRange, mergeRanges } from './byte-ranges.ts';
import type { Journal, JournalRecord } from './journal.ts';
import type { ResourceVersion } from './source-request.ts';
import { isByteCount, readVersionRecord } from './version-record.ts';

/** A file that a former process has fetched in part. */
export interface ResumableFile {
  readonly version: ResourceVersion;
  /** What it has stored; in order, and no range touches another. */
  readonly storedRanges: readonly ByteRange[];
}

/** Records which version of a file is fetched; ranges that are recorded later belong to it. */
export function recordVersion(journal: Journal, { validator, total }: ResourceVersion): void {
  journal.append(['head', validator, total]);
}

/** Records that bytes of the file are in their place. */
export function recordRange(journal: Journal, { from, end }: ByteRange): void {
  journal.append(['span', from, end]);
}

/** Reads a journal's state of the file at a path. A child of the former run may have written both. */
export async function readResumableFile({ records }: Journal, path: string): Promise<ResumableFile | undefined> {
  const [first, ...others] = records;
  const [kind, ...values] = first ?? [];
  const version = kind === 'head' ? readVersionRecord(values) : undefined;
  if (version === undefined) return undefined;
  const maxEnd = Math.min((await sizeOf(path)) ?? 0, version.total);
  const storedRanges = mergeRanges(others.flatMap((record) => readRange(record, version.total)));
  const end = storedRanges.at(-1)?.end;
  return end === undefined || end > maxEnd ? undefined : { version, storedRanges };
}

function readRange([kind, from, end]: JournalRecord, total: number): ByteRange[] {
  const fits = kind === 'span' && isByteCount(from) && isByteCount(end) && from < end && end <= total;
  return fits ? [{ from, end }] : [];
}

/** Opens a file to continue it, or an empty one if nothing is `resumable`. @throws UnsafeFileError */
export function openResumableFile(path: string, resumable: unknown): Promise<FileHandle> {
  return openForWriting(path, { keep: resumable !== undefined });
}
