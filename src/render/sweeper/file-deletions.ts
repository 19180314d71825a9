import type { Logger } from 'pino';
import type { Sql } from '../../database/database.ts';
import type { Storage } from '../../storage/storage.ts';
import { inBatches } from './batches.ts';

const BATCH_FILES = 200;
const AT_ONCE = 8;
const MOST_MS = 60_000;
/** When another node may retry a file: the one that claimed it has probably died. */
const CLAIM_SECONDS = 120;
/** After a failure: 10 s, 20 s, 40 s and so on, up to an hour and a half. */
const FIRST_RETRY_SECONDS = 5;
const MOST_DOUBLINGS = 10;

/** Failed tries from which a deletion counts as failing in the metrics: after about three minutes. */
export const failingAfter = 5;

interface DueRow {
  readonly file_key: string;
  readonly attempts: number;
}

/**
 * Deletes the files whose jobs are gone, several at once; other nodes claim other files. Retries a file that cannot be
 * deleted, at growing intervals.
 *
 * @throws StoreMismatchError if the store lost its mark: its missing files must not count as deleted.
 */
export async function deleteFiles(
  { sql, storage, log }: { readonly sql: Sql; readonly storage: Storage; readonly log: Logger },
  signal: AbortSignal,
): Promise<void> {
  const due = await sql.query('select 1 from file_deletions where next_try_at <= now() limit 1');
  if (due.length === 0) return;
  await storage.check();
  await inBatches({ size: BATCH_FILES, mostMs: MOST_MS, signal }, async (size) => {
    const claimed = await claim(sql, size);
    const failed = await deleteAll(storage, claimed, signal);
    await settle(sql, claimed, failed);
    const [first] = failed;
    if (first !== undefined) {
      const [key, error] = first;
      log.error(
        { err: error, key, files: failed.size },
        'files could not be deleted; the deletion will be retried later',
      );
    }
    return claimed.length;
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

/** Returns the keys of files that could not be deleted, each with its error. */
async function deleteAll(
  storage: Storage,
  files: readonly DueRow[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, unknown>> {
  const failed = new Map<string, unknown>();
  const waiting = [...files];
  const work = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { file_key: key } = next;
      try {
        signal.throwIfAborted();
        await storage.delete(key);
      } catch (error) {
        failed.set(key, error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return failed;
}

async function settle(sql: Sql, claimed: readonly DueRow[], failed: ReadonlyMap<string, unknown>): Promise<void> {
  const deleted = claimed.map(({ file_key: key }) => key).filter((key) => !failed.has(key));
  if (deleted.length > 0) await sql.query('delete from file_deletions where file_key = any($1)', [deleted]);
  if (failed.size === 0) return;
  await sql.query(
    `update file_deletions set next_try_at = now() + $2 * power(2, least(attempts, $3)) * interval '1 second'
     where file_key = any($1)`,
    [[...failed.keys()], FIRST_RETRY_SECONDS, MOST_DOUBLINGS],
  );
}
