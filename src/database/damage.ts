import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { StartError } from '../contract/start-error.ts';
import { ifMissing } from '../if-missing.ts';

/** The embedded database is damaged, and nothing is there that could be taken up in its place. */
export class DamagedDatabaseError extends StartError {
  override readonly name = 'DamagedDatabaseError';
}

/**
 * Files without which the engine does not refuse, but goes on with an empty database or without rows: it makes a new one
 * where the version is missing, and takes every transaction for one that never ended where their states are.
 */
const indispensable = ['PG_VERSION', join('pg_xact', '0000')];

/**
 * Sees whether the engine would notice by itself what a folder lacks.
 *
 * @throws Error that names what is missing.
 */
export async function expectWhole(folder: string): Promise<void> {
  for (const name of indispensable) {
    const found = await stat(join(folder, name)).catch(ifMissing);
    if (found === undefined) throw new Error(`${name} is missing`);
    if (found.size === 0) throw new Error(`${name} is empty`);
  }
}

/**
 * Sees whether each table is still as long as it was at its last VACUUM, which tells its length where it shortens it: the
 * engine takes a file that was cut off, or emptied, for a table with fewer rows.
 *
 * @throws Error that names a table.
 */
export async function expectWholeTables(engine: PGlite): Promise<void> {
  const { rows } = await engine.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind in ('r', 't', 'i', 'm')
       and pg_relation_size(oid) < relpages * current_setting('block_size')::bigint
     limit 1`,
  );
  if (rows[0] !== undefined) throw new Error(`the file of ${rows[0].name} is cut off or missing`);
}
