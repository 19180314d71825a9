import type { Sql } from '../../database/database.ts';
import type { Storage } from '../../storage/storage.ts';

/** Number of keys read from the database at once. */
const PAGE_ROWS = 10_000;
/** Maximum number of unknown keys that a survey lists. */
const MAX_LISTED_KEYS = 100_000;
/** Maximum fraction of files that may differ before the store is in doubt; at least one and at most a hundred files. */
const MAX_DIFFERING_FRACTION = 0.05;
const MAX_DIFFERING = 100;

/** Differences between the files of a store and the jobs of a database. */
export interface Survey {
  /** Number of stored files. */
  readonly files: number;
  /** Files without a job, a run or a pending deletion: their number, and the keys of up to 100,000. */
  readonly unknown: { readonly count: number; readonly keys: readonly string[] };
  /** Number of unexpired jobs that are done and have a file, except those that ended during the comparison. */
  readonly expected: number;
  /** Keys of the missing files of these jobs. */
  readonly missing: readonly string[];
}

/**
 * Returns how many of `count` files may be removed in one run. More indicate a wrong store, a wrong database or a
 * missing mount.
 */
export function removalLimit(count: number): number {
  return Math.min(MAX_DIFFERING, Math.max(1, Math.floor(count * MAX_DIFFERING_FRACTION)));
}

/**
 * Compares the files of a store with the jobs of a database; changes nothing. Nodes may run in the meantime. A job
 * therefore counts as one without a file only if it was done before the files were listed and has not expired since. A
 * file is unknown only if nothing refers to it afterwards.
 */
export async function surveyStore(sql: Sql, storage: Storage, signal: AbortSignal): Promise<Survey> {
  const unseen = await readExpectedKeys(sql, signal);
  const before = unseen.size;
  const unknown: string[] = [];
  let files = 0;
  let unknownCount = 0;
  for await (const keys of storage.keys()) {
    signal.throwIfAborted();
    files += keys.length;
    for (const key of keys) unseen.delete(key);
    const page = await filterUnknownKeys(sql, keys);
    unknownCount += page.length;
    unknown.push(...page.slice(0, MAX_LISTED_KEYS - unknown.length));
  }
  const missing = await filterExpectedKeys(sql, [...unseen], signal);
  const expected = before - unseen.size + missing.length;
  return { files, unknown: { count: unknownCount, keys: unknown }, expected, missing };
}

/** Returns the keys that belong to an unexpired job that is done. Expired jobs may lose their files at any time. */
export async function filterExpectedKeys(sql: Sql, keys: readonly string[], signal: AbortSignal): Promise<string[]> {
  const matches: string[] = [];
  for (let at = 0; at < keys.length; at += PAGE_ROWS) {
    signal.throwIfAborted();
    const rows = await sql.query<{ file_key: string }>(
      `select file_key from render_jobs where file_key = any($1) and state = 'done' and expires_at > now()`,
      [keys.slice(at, at + PAGE_ROWS)],
    );
    matches.push(...rows.map(({ file_key: key }) => key));
  }
  return matches;
}

async function readExpectedKeys(sql: Sql, signal: AbortSignal): Promise<Set<string>> {
  const keys = new Set<string>();
  for (let last = ''; ; ) {
    signal.throwIfAborted();
    const page = await sql.query<{ file_key: string; expected: boolean }>(
      `select file_key, state = 'done' and expires_at > now() as expected from render_jobs
       where file_key > $1 order by file_key limit $2`,
      [last, PAGE_ROWS],
    );
    for (const { file_key: key, expected } of page) if (expected) keys.add(key);
    if (page.length < PAGE_ROWS) return keys;
    last = page.at(-1)?.file_key ?? '';
  }
}

async function filterUnknownKeys(sql: Sql, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const rows = await sql.query<{ file_key: string }>(
    `select file_key from unnest($1::text[]) as stored (file_key)
     where file_key not in (
       select file_key from render_jobs where file_key = any($1)
       union all select run::text from render_jobs where run = any($1::uuid[])
       union all select file_key from file_deletions where file_key = any($1)
     )`,
    [keys],
  );
  return rows.map(({ file_key: key }) => key);
}
