import type { Logger } from 'pino';
import type { Sql } from '../../database/database.ts';
import type { Storage } from '../../storage/storage.ts';
import { loseFiles } from '../stored-files/lose-files.ts';
import { mostOf, surveyStore } from './survey.ts';

/** A younger file may belong to work that this database does not know of (yet). */
const YOUNG_MS = 24 * 3_600_000;

/** Files that no job names, and jobs whose file is gone. */
export interface Differences {
  readonly files: number;
  readonly jobs: number;
}

/** What a reconciliation did. */
export interface Reconciled {
  /** Files marked for deletion, and jobs ended. */
  readonly removed: Differences;
  /** What was left because it exceeds the limit. */
  readonly withheld: Differences;
}

/** How a reconciliation is run. */
export interface Reconciliation {
  readonly sql: Sql;
  readonly storage: Storage;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Whether the operator has lifted the limit. */
  readonly unlimited?: boolean;
}

/**
 * Brings jobs and files into agreement: a stored file without a job is deleted once it is a day old, and a job whose file
 * is gone is ended (the database was restored from a backup, or someone cleared the folder). If more than a few percent
 * differ, the store or the database is probably the wrong one: then nothing of that kind is removed.
 *
 * @throws StoreMismatchError if the store lost its mark.
 */
export async function reconcile(run: Reconciliation): Promise<Reconciled> {
  const { sql, storage, log, signal } = run;
  const { files, unknown, expected, missing } = await surveyStore(sql, storage, signal);
  // The mount may have been lost meanwhile; then no file was found.
  await storage.check();
  const mostFiles = run.unlimited === true ? Number.POSITIVE_INFINITY : mostOf(files);
  const mostJobs = run.unlimited === true ? Number.POSITIVE_INFINITY : mostOf(expected);
  const old = await firstOf(unknown.keys, mostFiles + 1, (key) => isOld(storage, key), signal);
  const gone = await firstOf(missing, mostJobs + 1, (key) => isGone(storage, key), signal);
  const orphans = old.length <= mostFiles ? old : [];
  const lost = gone.length <= mostJobs ? gone : [];
  await markForDeletion(sql, orphans);
  if (lost.length > 0) await loseFiles(sql, lost);
  const removed = { files: orphans.length, jobs: lost.length };
  if (removed.files + removed.jobs > 0) log.warn(removed, 'removed files without a job and jobs without a file');
  const withheld = {
    files: old.length > mostFiles ? unknown.count : 0,
    jobs: gone.length > mostJobs ? missing.length : 0,
  };
  if (withheld.files + withheld.jobs > 0)
    log.error({ files, expected, withheld, mostFiles, mostJobs }, withheldMessage);
  await storage.sweep();
  return { removed, withheld };
}

const withheldMessage =
  'Too many stored files have no job, or too many jobs have no file, so none of these was removed. Check that the store ' +
  'and the database belong together; if they do, run "millrace doctor --reconcile" with the same settings.';

/** The first `most` keys for which something holds. */
async function firstOf(
  keys: readonly string[],
  most: number,
  holds: (key: string) => Promise<boolean>,
  signal: AbortSignal,
): Promise<string[]> {
  const found: string[] = [];
  for (const key of keys) {
    if (found.length >= most) break;
    signal.throwIfAborted();
    if (await holds(key)) found.push(key);
  }
  return found;
}

async function isOld(storage: Storage, key: string): Promise<boolean> {
  const storedAt = await storage.storedAt(key);
  return storedAt !== undefined && Date.now() - storedAt.getTime() > YOUNG_MS;
}

async function isGone(storage: Storage, key: string): Promise<boolean> {
  return (await storage.storedAt(key)) === undefined;
}

/** A key that nothing names is never given to a job again, so its file can go. */
async function markForDeletion(sql: Sql, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await sql.query('insert into file_deletions (file_key) select unnest($1::text[]) on conflict do nothing', [keys]);
}
