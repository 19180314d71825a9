import type { Logger } from 'pino';
import type { Sql } from '../../database/database.ts';
import type { Storage } from '../../storage/storage.ts';
import { untilAborted } from '../../waiting/until-aborted.ts';
import { withTimeout } from '../../waiting/with-timeout.ts';
import { runInBatches } from './run-in-batches.ts';

const BATCH_FILES = 200;
const CONCURRENCY = 8;
const MAX_SWEEP_MS = 60_000;
/** Time limit for a call to the store. */
const CALL_TIMEOUT_MS = 15_000;
/** Time after which another node may retry a file, because the node that claimed it has probably died. */
const CLAIM_SECONDS = 120;
/** Base of the delay after a failure: 10 s, 20 s, 40 s and so on, up to an hour and a half. */
const FIRST_RETRY_SECONDS = 5;
const MAX_DOUBLINGS = 10;

interface DueRow {
  readonly file_key: string;
  readonly attempts: number;
}

/**
 * Deletes files whose jobs no longer exist, several concurrently; other nodes claim other files. Retries a file that
 * cannot be deleted, at growing intervals. Once the signal is aborted, this function no longer waits for the store, and
 * files that are not deleted by then are immediately due again.
 *
 * @throws StoreMismatchError if the store lost its mark, so that its missing files do not count as deleted. The mark is
 * verified after each batch, and a batch in doubt is immediately due again.
 * @throws The signal's reason.
 */
export async function deleteFiles(
  { sql, storage, log }: { readonly sql: Sql; readonly storage: Storage; readonly log: Logger },
  signal: AbortSignal,
): Promise<void> {
  const due = await sql.query('select 1 from file_deletions where next_try_at <= now() limit 1');
  if (due.length === 0) return;
  const verify = () => untilAborted(withTimeout(storage.check(), CALL_TIMEOUT_MS), signal);
  await verify();
  await runInBatches({ size: BATCH_FILES, maxMs: MAX_SWEEP_MS, signal }, async (size) => {
    const files = await claim(sql, size);
    if (files.length === 0) return 0;
    const outcome = await deleteAll(storage, files, signal);
    try {
      await verify();
    } catch (error) {
      await release(sql, files);
      throw error;
    }
    await recordOutcome(sql, outcome);
    const { failures } = outcome;
    const [first] = failures;
    if (first !== undefined) {
      const [key, error] = first;
      log.error(
        { err: error, key, files: failures.size },
        'files could not be deleted; the deletion will be retried later',
      );
    }
    return files.length;
  });
}

async function claim(sql: Sql, size: number): Promise<DueRow[]> {
  return await sql.query<DueRow>(
    `update file_deletions set attempts = attempts + 1, next_try_at = now() + $2 * interval '1 second'
     where file_key in (
       select file_key from file_deletions where next_try_at <= now() order by next_try_at limit $1
       for update skip locked
     ) returning file_key, attempts`,
    [size, CLAIM_SECONDS],
  );
}

/** Makes claimed files due again immediately, without counting an attempt. */
async function release(sql: Sql, files: readonly DueRow[]): Promise<void> {
  await sql.query('update file_deletions set attempts = attempts - 1, next_try_at = now() where file_key = any($1)', [
    files.map(({ file_key: key }) => key),
  ]);
}

/** Keys of files by the outcome of their deletion. */
interface Outcome {
  readonly deletedKeys: readonly string[];
  /** The error of each key. */
  readonly failures: ReadonlyMap<string, unknown>;
}

async function deleteAll(storage: Storage, files: readonly DueRow[], signal: AbortSignal): Promise<Outcome> {
  const deletedKeys: string[] = [];
  const failures = new Map<string, unknown>();
  const waiting = files.map(({ file_key: key }) => key);
  const work = async () => {
    while (!signal.aborted) {
      const key = waiting.pop();
      if (key === undefined) return;
      try {
        await untilAborted(withTimeout(storage.delete(key), CALL_TIMEOUT_MS), signal);
        deletedKeys.push(key);
      } catch (error) {
        failures.set(key, error);
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return { deletedKeys, failures };
}

async function recordOutcome(sql: Sql, { deletedKeys, failures }: Outcome): Promise<void> {
  if (deletedKeys.length > 0) await sql.query('delete from file_deletions where file_key = any($1)', [deletedKeys]);
  if (failures.size === 0) return;
  await sql.query(
    `update file_deletions set next_try_at = now() + $2 * power(2, least(attempts, $3)) * interval '1 second'
     where file_key = any($1)`,
    [[...failures.keys()], FIRST_RETRY_SECONDS, MAX_DOUBLINGS],
  );
}
