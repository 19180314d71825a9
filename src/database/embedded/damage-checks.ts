import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { StartError } from '../../contract/start-error.ts';
import { ifMissing } from '../../files/if-missing.ts';
import type { ControlFile } from './control-file.ts';

/** Thrown if the embedded database was read and found damaged, and there is nothing to restore it from. */
export class DamagedDatabaseError extends StartError {
  override readonly name = 'DamagedDatabaseError';
}

/**
 * Binary logarithm of the number of transactions (about a million) whose states are in one file (PostgreSQL's
 * `clog.c`).
 */
const TRANSACTIONS_OF_SEGMENT = 20n;

/**
 * Returns a missing file whose absence the engine would not notice; undefined if there is no such file. Without the
 * version file, the engine continues with an empty database. Without the states of transactions, it treats the
 * transactions as unfinished. VACUUM removes states that are not needed any more, but never those of the last
 * transaction.
 *
 * @throws An error of the file system.
 */
export async function findMissingFile(folder: string, control: ControlFile | undefined): Promise<string | undefined> {
  const requiredFiles = ['PG_VERSION', ...(control === undefined ? [] : [segmentOf(control.lastTransaction)])];
  for (const name of requiredFiles) {
    const file = await stat(join(folder, name)).catch(ifMissing);
    if (file === undefined) return `${name} is missing`;
    if (file.size === 0) return `${name} is empty`;
  }
  return undefined;
}

/** Returns the file with the state of a transaction. File names depend only on the lower 32 of the 64 bits. */
function segmentOf(transaction: bigint): string {
  const segment = BigInt.asUintN(32, transaction) >> TRANSACTIONS_OF_SEGMENT;
  return join('pg_xact', segment.toString(16).toUpperCase().padStart(4, '0'));
}

/** Matches tables that survive a crash. Unlogged tables are emptied by a crash. */
const permanentTables = `relpersistence = 'p' and relkind in ('r', 't', 'i', 'm')`;
const isShorter = `pg_relation_size(oid) < relpages * current_setting('block_size')::bigint`;

/**
 * Returns the first table whose file is missing, or shorter than the length in the catalogue; undefined if all are
 * complete. The engine treats a truncated or emptied file as a table with fewer rows.
 *
 * After a crash only a missing file is damage. VACUUM truncates a file before it writes its new length to the
 * catalogue, and empty pages at the end of a file are not in the log. For such files, this function writes the actual
 * lengths to the catalogue.
 *
 * @param cleanShutdown Whether the database was shut down cleanly.
 */
export async function findTruncatedTable(engine: PGlite, cleanShutdown: boolean): Promise<string | undefined> {
  const { rows } = await engine.query<{ name: string; missing: boolean }>(
    `select relname as name, pg_stat_file(pg_relation_filepath(oid), true) is null as missing from pg_class
     where ${permanentTables} and (${isShorter} or pg_stat_file(pg_relation_filepath(oid), true) is null)
     order by missing desc`,
  );
  const damagedTable = rows.find(({ missing }) => cleanShutdown || missing);
  if (damagedTable !== undefined) return `the file of ${damagedTable.name} is truncated or missing`;
  if (rows.length > 0) {
    await engine.exec(
      `update pg_class set relpages = pg_relation_size(oid) / current_setting('block_size')::bigint
       where ${permanentTables} and ${isShorter}`,
    );
  }
  return undefined;
}
