import { readdir, readFile } from 'node:fs/promises';
import type { Database, Sql } from './database.ts';

/** The database was made by a newer version of the service than this one. */
export class SchemaTooNewError extends Error {
  override readonly name = 'SchemaTooNewError';
}

/**
 * Brings the schema up to date: runs the numbered files of `migrations/` that have not run yet, each in a transaction
 * of its own, in order. There is no way back: a migration must leave the schema usable by the version before it.
 *
 * @throws SchemaTooNewError
 */
export async function migrate(database: Database, folder = new URL('./migrations/', import.meta.url)): Promise<void> {
  await database.query(
    'create table if not exists schema_migrations (version integer primary key, name text not null, applied_at timestamptz not null default now())',
  );
  const files = (await readdir(folder)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort();
  const newest = Number(files.at(-1)?.slice(0, 4) ?? 0);
  const [applied] = await database.query<{ version: number }>(
    'select coalesce(max(version), 0) as version from schema_migrations',
  );
  const current = applied?.version ?? 0;
  if (current > newest) {
    throw new SchemaTooNewError(
      `The database has schema ${current}, but this version of Millrace knows ${newest} at most. Start the newer version, or use another database.`,
    );
  }
  for (const file of files) {
    const version = Number(file.slice(0, 4));
    if (version <= current) continue;
    const statements = await readFile(new URL(file, folder), 'utf8');
    await database.transaction(async (sql) => {
      await runAll(sql, statements);
      await sql.query('insert into schema_migrations (version, name) values ($1, $2)', [version, file]);
    });
  }
}

/** Statements of a migration end with a semicolon at the end of a line; none holds one elsewhere. */
async function runAll(sql: Sql, statements: string): Promise<void> {
  for (const statement of statements.split(/;\s*$/m)) if (statement.trim() !== '') await sql.query(statement);
}
