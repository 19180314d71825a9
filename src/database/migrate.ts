import { readdir, readFile } from 'node:fs/promises';
import type { Database, Sql } from './database.ts';

/** The database was made by a newer version of the service than this one. */
export class SchemaTooNewError extends Error {
  override readonly name = 'SchemaTooNewError';
}

/** The lock under which schemas are changed, so that nodes that start together do it one after the other. */
const MIGRATION_LOCK = 7_417_001;

/**
 * Brings the schema up to date: runs the numbered files of `migrations/` that have not run yet, each in a transaction
 * of its own, in order. There is no way back: a migration must leave the schema usable by the version before it, since
 * nodes of both run side by side while an installation is brought up to date.
 *
 * @throws SchemaTooNewError
 */
export async function migrate(database: Database, folder = new URL('./migrations/', import.meta.url)): Promise<void> {
  const files = (await readdir(folder)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort();
  const newest = versionOf(files.at(-1) ?? '0000');
  const current = await lockedVersion(database, async (_sql, version) => version);
  if (current > newest) {
    throw new SchemaTooNewError(
      `The database has schema ${current}, but this version of Millrace knows ${newest} at most. Start the newer version, or use another database.`,
    );
  }
  for (const file of files) {
    const statements = await readFile(new URL(file, folder), 'utf8');
    await lockedVersion(database, async (sql, version) => {
      // Another node may have been faster.
      if (versionOf(file) <= version) return;
      await runAll(sql, statements);
      await sql.query('insert into schema_migrations (version, name) values ($1, $2)', [versionOf(file), file]);
    });
  }
}

function versionOf(file: string): number {
  return Number(file.slice(0, 4));
}

/** Does something with the schema's version while no other node changes it. */
function lockedVersion<T>(database: Database, work: (sql: Sql, version: number) => Promise<T>): Promise<T> {
  return database.transaction(async (sql) => {
    await sql.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await sql.query(
      'create table if not exists schema_migrations (version integer primary key, name text not null, applied_at timestamptz not null default now())',
    );
    const [row] = await sql.query<{ version: number }>(
      'select coalesce(max(version), 0) as version from schema_migrations',
    );
    return work(sql, row?.version ?? 0);
  });
}

/** Statements of a migration end with a semicolon at the end of a line; none holds one elsewhere. */
async function runAll(sql: Sql, statements: string): Promise<void> {
  for (const statement of statements.split(/;\s*$/m)) if (statement.trim() !== '') await sql.query(statement);
}
