import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { StartError } from '../../contract/start-error.ts';
import { ifMissing } from '../../files/if-missing.ts';
import type { ControlFile } from './control-file.ts';

/** The embedded database was read and found damaged, and there is nothing to restore it from. */
export class DamagedDatabaseError extends StartError {
  override readonly name = 'DamagedDatabaseError';
}

/** The states of a million transactions are in one file (PostgreSQL's `clog.c`). */
const TRANSACTIONS_OF_SEGMENT = 20n;

/**
 * Returns a file that is missing and that the engine would not miss; undefined if there is none. It goes on with an empty
 * database where the version is missing, and takes transactions for ones that never ended where their states are. VACUUM
 * removes states that nothing needs any more, but never those of the last transaction.
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

/** The file with the state of a transaction. Names have 32 bits of the transaction's 64. */
function segmentOf(transaction: bigint): string {
  const segment = BigInt.asUintN(32, transaction) >> TRANSACTIONS_OF_SEGMENT;
  return join('pg_xact', segment.toString(16).toUpperCase().padStart(4, '0'));
}

/** Matches tables that survive a crash: unlogged ones are emptied then. */
const permanentTables = `relpersistence = 'p' and relkind in ('r', 't', 'i', 'm')`;
const isShorter = `pg_relation_size(oid) < relpages * current_setting('block_size')::bigint`;

/**
 * Returns the first table whose file is missing, or shorter than the length in the catalogue; undefined if all are whole.
 * The engine takes a file that was truncated or emptied for a table with fewer rows.
 *
 * After a crash only a missing file is damage: VACUUM truncates a file before it writes its new length to the catalogue, and
 * empty pages at the end of a file are not in the log. The lengths that are found are then written to the catalogue.
 *
 * @param cleanShutdown Whether the database was stopped in order.
 */
export async function findTruncatedTable(engine: PGlite, cleanShutdown: boolean): Promise<string | undefined> {
  const { rows } = await engine.query<{ name: string; missing: boolean }>(
    `select relname as name, pg_stat_file(pg_relation_filepath(oid), true) is null as missing from pg_class
     where ${permanentTables} and (${isShorter} or pg_stat_file(pg_relation_filepath(oid), true) is null)
     order by missing desc`,
  );
  const damagedTable = rows.find(({ missing }) => cleanShutdown || missing);
  if (damagedTable !== undefined) return `the file of ${damagedTable.name} is cut off or missing`;
  if (rows.length > 0) {
    await engine.exec(
      `update pg_class set relpages = pg_relation_size(oid) / current_setting('block_size')::bigint
       where ${permanentTables} and ${isShorter}`,
    );
  }
  return undefined;
}
