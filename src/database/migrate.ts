import { readdir, readFile } from 'node:fs/promises';
import { StartError } from '../contract/start-error.ts';
import { codeFile } from '../files/package-files.ts';
import { advisoryLocks } from './advisory-locks.ts';
import type { Database, Sql } from './database.ts';

/** The database was made by a newer version of the service than this one. */
export class SchemaTooNewError extends StartError {
  override readonly name = 'SchemaTooNewError';
}

const migrationsFolder = codeFile('database/migrations/');

/** Large tables take their time, and other nodes wait for the one that works on them. */
const STATEMENT_TIMEOUT_MS = 600_000;
/**
 * A change that waits for a table has everyone else wait behind it. Whatever holds one for longer is no work of ours, but
 * a backup, say; then this start fails, and another one is tried.
 */
const TABLE_TIMEOUT_MS = 5_000;

/**
 * Brings the schema up to date: runs the numbered files of `migrations/` that have not run yet, each in a transaction
 * of its own, in order. There is no way back: a migration must leave the schema usable by the version before it, since
 * nodes of both run side by side while an installation is brought up to date (docs/decisions/0013).
 *
 * @throws SchemaTooNewError
 */
export async function migrate(database: Database, folder = migrationsFolder): Promise<void> {
  const files = await migrationsOf(folder);
  const appliedVersions = await readAppliedVersions(database);
  await expectKnownSchema(Math.max(0, ...appliedVersions), folder);
  for (const file of files.filter((name) => !appliedVersions.has(versionOf(name)))) {
    const statements = await readFile(new URL(file, folder), 'utf8');
    await withSchemaLock(database, async (sql, currentVersions) => {
      // Another node may have been faster.
      if (currentVersions.has(versionOf(file))) return;
      await sql.query(`set local lock_timeout = ${TABLE_TIMEOUT_MS}`);
      await runStatements(sql, statements);
      await sql.query('insert into schema_migrations (version, name) values ($1, $2)', [versionOf(file), file]);
    }).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`The schema could not be changed by ${file}, and is as it was: ${reason}`, { cause: error });
    });
  }
}

/** Throws SchemaTooNewError if a database has a schema that this version does not know. */
export async function expectKnownSchema(current: number, folder = migrationsFolder): Promise<void> {
  const newest = versionOf((await migrationsOf(folder)).at(-1) ?? '0000');
  if (current <= newest) return;
  throw new SchemaTooNewError(
    `The database has schema ${current}, but this version of Millrace knows ${newest} at most. Start the newer version, or use another database.`,
  );
}

async function migrationsOf(folder: URL): Promise<string[]> {
  return (await readdir(folder)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort();
}

function versionOf(file: string): number {
  return Number(file.slice(0, 4));
}

/** The versions that a database has; none if it is empty. */
async function readAppliedVersions(database: Database): Promise<ReadonlySet<number>> {
  const [table] = await database.query<{ exists: boolean }>(
    "select to_regclass('schema_migrations') is not null as exists",
  );
  return table?.exists === true ? await queryVersions(database) : new Set();
}

async function queryVersions(sql: Sql): Promise<ReadonlySet<number>> {
  const rows = await sql.query<{ version: number }>('select version from schema_migrations');
  return new Set(rows.map(({ version }) => version));
}

/** Does something about the schema, knowing the versions it has, while no other node changes it. */
function withSchemaLock<T>(
  database: Database,
  work: (sql: Sql, versions: ReadonlySet<number>) => Promise<T>,
): Promise<T> {
  return database.transaction(async (sql) => {
    await sql.query('select pg_advisory_xact_lock($1)', [advisoryLocks.schema]);
    await sql.query(
      'create table if not exists schema_migrations (version integer primary key, name text not null, applied_at timestamptz not null default now())',
    );
    return work(sql, await queryVersions(sql));
  }, STATEMENT_TIMEOUT_MS);
}

/** Statements of a migration end with a semicolon at the end of a line; none holds one elsewhere. */
async function runStatements(sql: Sql, statements: string): Promise<void> {
  for (const statement of statements.split(/;\s*$/m)) if (statement.trim() !== '') await sql.query(statement);
}
