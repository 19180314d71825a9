import type { Logger } from 'pino';
import type { Sql } from '../../database/database.ts';
import type { Storage } from '../../storage/storage.ts';
import { failLostFiles } from '../jobs/lost-files.ts';
import { filterExpectedKeys, removalLimit, surveyStore } from './survey.ts';

/**
 * Minimum age of a file without a job before it is deleted. A younger file may belong to work that this database does
 * not know of (yet).
 */
const YOUNG_MS = 24 * 3_600_000;
/**
 * Number of keys that are looked up, and then removed, together. This keeps statements short, and no work is lost when
 * the time limit is reached.
 */
const BATCH_KEYS = 500;
const LOOKUPS_AT_ONCE = 8;

/** Files without a job, and jobs without a file. */
interface Differences {
  readonly files: number;
  readonly jobs: number;
}

/** The result of a reconciliation. */
interface ReconciliationResult {
  /** Files marked for deletion, and ended jobs. */
  readonly removed: Differences;
  /** Differences that were not removed because they exceed the limit or the number that one run examines. */
  readonly withheld: Differences;
}

/** Options of a reconciliation. */
interface ReconcileOptions {
  readonly sql: Sql;
  readonly storage: Storage;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Whether the operator has lifted the limit. */
  readonly unlimited?: boolean;
}

/**
 * Reconciles jobs and files. A stored file without a job is deleted once it is a day old. A job whose file is missing
 * is ended: the database was restored from a backup, or someone cleared the folder. If more than a few percent differ,
 * the store or the database is probably the wrong one; then nothing of that kind is removed.
 *
 * Without the limit, everything that was removed before an error or the abort of the signal stays removed.
 *
 * @throws StoreMismatchError if the store lost its mark.
 */
export async function reconcile(options: ReconcileOptions): Promise<ReconciliationResult> {
  const { sql, storage, log, signal } = options;
  const { files, unknown, expected, missing } = await surveyStore(sql, storage, signal);
  // If the mount was lost in the meantime, all files seemed to be missing.
  await storage.check();
  const limitOf = (count: number) => (options.unlimited === true ? Number.POSITIVE_INFINITY : removalLimit(count));
  const maxFiles = limitOf(files);
  const maxJobs = limitOf(expected);
  const orphans = await removeUpTo(maxFiles, unknown.keys, {
    confirm: (keys) => filterByAge(storage, keys, isOld, signal),
    remove: (keys) => markForDeletion(sql, keys),
  });
  const failedJobs = await removeUpTo(maxJobs, missing, {
    confirm: async (keys) => await filterExpectedKeys(sql, await filterByAge(storage, keys, isMissing, signal), signal),
    remove: (keys) => failLostFiles(sql, keys),
  });
  const removed = { files: orphans ?? 0, jobs: failedJobs ?? 0 };
  if (removed.files + removed.jobs > 0) log.warn(removed, 'removed files without a job and jobs without a file');
  const withheld = {
    files: orphans === undefined ? unknown.count : unknown.count - unknown.keys.length,
    jobs: failedJobs === undefined ? missing.length : 0,
  };
  if (withheld.files + withheld.jobs > 0)
    log.error({ files, expected, withheld, mostFiles: maxFiles, mostJobs: maxJobs }, withheldMessage);
  await storage.sweep();
  return { removed, withheld };
}

const withheldMessage =
  'Too many stored files have no job, or too many jobs have no file, so none of them were removed. Check that the store ' +
  'and the database belong together. If they do, run "millrace doctor --reconcile" with the same settings.';

/** Removes one kind of difference. Both methods take up to {@link BATCH_KEYS} keys. */
interface Removal {
  /** Returns the keys that still differ. */
  confirm(keys: readonly string[]): Promise<readonly string[]>;
  /** Returns the number of removed keys. */
  remove(keys: readonly string[]): Promise<number>;
}

/** Removes differences. Returns their number, or undefined if there are more than `max`: then it has removed none. */
async function removeUpTo(
  max: number,
  keys: readonly string[],
  { confirm, remove }: Removal,
): Promise<number | undefined> {
  let removedCount = 0;
  let confirmedKeys: string[] = [];
  for (let at = 0; at < keys.length; at += BATCH_KEYS) {
    confirmedKeys.push(...(await confirm(keys.slice(at, at + BATCH_KEYS))));
    if (confirmedKeys.length > max) return undefined;
    // With a limit, nothing may be removed until all differences are known.
    if (Number.isFinite(max)) continue;
    removedCount += await remove(confirmedKeys);
    confirmedKeys = [];
  }
  return removedCount + (await remove(confirmedKeys));
}

/**
 * Looks up when files were stored, several concurrently. Returns the keys that match.
 *
 * @throws StoreMismatchError if the store lost its mark in the meantime, which makes its responses meaningless.
 */
async function filterByAge(
  storage: Storage,
  keys: readonly string[],
  matches: (storedAt: Date | undefined) => boolean,
  signal: AbortSignal,
): Promise<string[]> {
  const matching: string[] = [];
  const waiting = keys.values();
  const work = async () => {
    for (const key of waiting) {
      signal.throwIfAborted();
      if (matches(await storage.storedAt(key))) matching.push(key);
    }
  };
  await Promise.all(Array.from({ length: LOOKUPS_AT_ONCE }, work));
  await storage.check();
  return matching;
}

function isOld(storedAt: Date | undefined): boolean {
  return storedAt !== undefined && Date.now() - storedAt.getTime() > YOUNG_MS;
}

function isMissing(storedAt: Date | undefined): boolean {
  return storedAt === undefined;
}

/**
 * Marks files for deletion. A key that nothing refers to is never assigned to a job again, so its file can be deleted.
 */
async function markForDeletion(sql: Sql, keys: readonly string[]): Promise<number> {
  if (keys.length > 0)
    await sql.query('insert into file_deletions (file_key) select unnest($1::text[]) on conflict do nothing', [keys]);
  return keys.length;
}
