import { readdir, readFile } from 'node:fs/promises';
import { validUrl } from '../contract/parse-url.ts';
import { StartError } from '../contract/start-error.ts';
import { codeFile } from '../files/package-files.ts';
import { advisoryLocks } from './advisory-locks.ts';
import type { Database, Sql } from './database.ts';

/** Thrown if a newer version of the service created the database. */
export class SchemaTooNewError extends StartError {
  override readonly name = 'SchemaTooNewError';
}

const migrationsFolder = codeFile('database/migrations/');

/** Time limit of a statement: large tables take a long time, and other nodes wait for the node that changes them. */
const STATEMENT_TIMEOUT_MS = 600_000;
/**
 * Time limit for locking a table. All other statements on a table queue behind a change that waits for it. Only
 * something outside the service holds a table for longer, such as a backup. The start then fails and is repeated.
 */
const TABLE_TIMEOUT_MS = 5_000;

/**
 * Brings the schema up to date: runs the numbered files of `migrations/` that have not run yet, in order, each in a
 * separate transaction. It cannot be reversed. A migration must leave the schema usable by the previous version,
 * because nodes of both versions run side by side during an upgrade (docs/explanation/multiple-nodes.md).
 *
 * @throws SchemaTooNewError
 */
export async function migrate(database: Database, folder = migrationsFolder): Promise<void> {
  const files = await migrationsOf(folder);
  const appliedVersions = await readAppliedVersions(database);
  await expectKnownSchema(Math.max(0, ...appliedVersions), folder);
  for (const file of files.filter((name) => !appliedVersions.has(versionOf(name)))) {
    const statements = await readFile(validUrl(file, folder), 'utf8');
    await withSchemaLock(database, async (sql, currentVersions) => {
      // Another node may have run this migration in the meantime.
      if (currentVersions.has(versionOf(file))) return;
      await sql.query(`set local lock_timeout = ${TABLE_TIMEOUT_MS}`);
      await runStatements(sql, statements);
      await sql.query('insert into schema_migrations (version, name) values ($1, $2)', [versionOf(file), file]);
    }).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`The schema could not be changed by ${file} and is unchanged: ${reason}`, { cause: error });
    });
  }
}

/** Throws SchemaTooNewError if a database has a schema that this version does not support. */
export async function expectKnownSchema(current: number, folder = migrationsFolder): Promise<void> {
  const newest = versionOf((await migrationsOf(folder)).at(-1) ?? '0000');
  if (current <= newest) return;
  throw new SchemaTooNewError(
    `The database has schema ${current}, but this version of Millrace supports only schemas up to ${newest}. Start the newer version, or use another database.`,
  );
}

async function migrationsOf(folder: URL): Promise<string[]> {
  return (await readdir(folder)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort();
}

function versionOf(file: string): number {
  return Number(file.slice(0, 4));
}

/** Returns the applied migrations of a database; an empty set if it is empty. */
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

/** Runs work on the schema with its applied versions, while no other node changes it. */
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

/**
 * Runs the statements of a migration. Each ends with a semicolon at the end of a line; no statement contains such a
 * semicolon elsewhere.
 */
async function runStatements(sql: Sql, statements: string): Promise<void> {
  for (const statement of statements.split(/;\s*$/m)) if (statement.trim() !== '') await sql.query(statement);
}
