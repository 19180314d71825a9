import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { StartError } from '../contract/start-error.ts';
import { ifMissing } from '../if-missing.ts';

/** The embedded database was read and found damaged, and there is nothing to restore it from. */
export class DamagedDatabaseError extends StartError {
  override readonly name = 'DamagedDatabaseError';
}

/**
 * Files without which the engine does not refuse, but goes on with an empty database or without rows: it makes a new one
 * where the version is missing, and takes every transaction for one that never ended where their states are.
 */
const indispensable = ['PG_VERSION', join('pg_xact', '0000')];

/**
 * Returns what a folder lacks that the engine would not miss; undefined if it lacks nothing.
 *
 * @throws An error of the file system.
 */
export async function lackOf(folder: string): Promise<string | undefined> {
  for (const name of indispensable) {
    const found = await stat(join(folder, name)).catch(ifMissing);
    if (found === undefined) return `${name} is missing`;
    if (found.size === 0) return `${name} is empty`;
  }
  return undefined;
}

/**
 * Returns which table is shorter than it was at its last VACUUM, which writes down its length where it shortens it; undefined
 * if there is none. The engine takes a file that was cut off, or emptied, for a table with fewer rows.
 */
export async function cutOffTable(engine: PGlite): Promise<string | undefined> {
  const { rows } = await engine.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind in ('r', 't', 'i', 'm')
       and pg_relation_size(oid) < relpages * current_setting('block_size')::bigint
     limit 1`,
  );
  return rows[0] === undefined ? undefined : `the file of ${rows[0].name} is cut off or missing`;
}
