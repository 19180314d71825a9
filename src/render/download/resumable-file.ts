import type { FileHandle } from 'node:fs/promises';
import { openForWriting, sizeOf } from '../../files/open-file.ts';
import type { SummedRange } from './arrival-proof.ts';
import { isArrivalSum } from './arrival-sum.ts';
import { inOrder } from './byte-ranges.ts';
import type { Journal, JournalRecord } from './journal.ts';
import type { ResourceVersion } from './source-request.ts';
import { combineVersions, isByteCount, readVersionRecord, type StoredVersion } from './version-record.ts';

/** A file that an earlier process has fetched in part. */
export interface ResumableFile {
  readonly version: StoredVersion;
  /** The stored ranges; in order, without overlaps. */
  readonly storedRanges: readonly SummedRange[];
}

/**
 * Records which version of a file is being fetched; ranges recorded later belong to it. A file that continues through a
 * new link has one record for each link, all with the same size.
 */
export function recordVersion(journal: Journal, { validator, total }: ResourceVersion): void {
  journal.append(['head', validator, total]);
}

/** Records that a range of the file has been written. */
export function recordRange(journal: Journal, { from, end, sum }: SummedRange): void {
  journal.append(['span', from, end, sum]);
}

/**
 * Reads the state of the file at a path from its journal. Both may have been written by a child process of the earlier
 * run.
 */
export async function readResumableFile({ records }: Journal, path: string): Promise<ResumableFile | undefined> {
  const version = readVersions(records);
  if (version === undefined) return undefined;
  const maxEnd = Math.min((await sizeOf(path)) ?? 0, version.total);
  const storedRanges = inOrder(records.flatMap((record) => readRange(record, version.total)));
  const end = storedRanges?.at(-1)?.end;
  return storedRanges === undefined || end === undefined || end > maxEnd ? undefined : { version, storedRanges };
}

/** Reads the versions of the file. The first record must be one, and none may be unreadable. */
function readVersions(records: readonly JournalRecord[]): StoredVersion | undefined {
  if (records[0]?.[0] !== 'head') return undefined;
  const versions = records.flatMap(([kind, ...values]) => (kind === 'head' ? [readVersionRecord(values)] : []));
  const valid = versions.filter((version) => version !== undefined);
  return valid.length === versions.length ? combineVersions(valid) : undefined;
}

function readRange([kind, from, end, sum]: JournalRecord, total: number): SummedRange[] {
  const fits = kind === 'span' && isByteCount(from) && isByteCount(end) && from < end && end <= total;
  return fits && isArrivalSum(sum) ? [{ from, end, sum }] : [];
}

/**
 * Opens the file to resume. If `resumable` is undefined, the file is emptied.
 *
 * @throws UnsafeFileError
 */
export function openResumableFile(path: string, resumable: unknown): Promise<FileHandle> {
  return openForWriting(path, { keep: resumable !== undefined });
}
