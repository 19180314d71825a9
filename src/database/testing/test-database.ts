import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { putEmptyDatabase } from '../../../test/support/empty-database.ts';
import { runFolder } from '../../../test/support/run-folder.ts';
import type { Database } from '../database.ts';
import { openEmbeddedDatabase } from '../embedded/embedded-database.ts';
import { migrate } from '../migrate.ts';
import { openPostgres } from '../server/postgres-database.ts';

const log = pino({ level: 'silent' });

/** Exported for tests that open an embedded database themselves. */
export { putEmptyDatabase };

/** A database that is deleted when it is closed. */
export interface TestDatabase extends Database {
  /** Opens the database as another node would: with a separate pool, if it is on a server. */
  openAnother(): Promise<Database>;
}

/** A {@link TestDatabase} on a server. */
export interface TestPostgres extends TestDatabase {
  readonly url: string;
}

/**
 * Opens an empty database with the schema for a test; `close` also deletes it. The database is embedded unless
 * `TEST_STACK` has a value other than `embedded`; it is then on the server of `TEST_DATABASE_URL` (a role that may
 * create databases).
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  const { TEST_STACK: stack = 'embedded', TEST_DATABASE_URL: server } = process.env;
  if (stack !== 'embedded' && server === undefined) throw new Error(`TEST_STACK=${stack} needs TEST_DATABASE_URL`);
  if (stack === 'embedded' || server === undefined)
    return lendDatabase(idleDatabases.pop() ?? (await openEmptyEmbeddedDatabase()));
  const postgres = await createTestPostgres(server);
  await migrate(postgres);
  return postgres;
}

/** Empty embedded databases with a schema, for the next tests. Opening one takes half a second of work. */
const idleDatabases: Database[] = [];

/** Closes the databases that wait for a test, so that they run no background work. */
export async function closeIdleDatabases(): Promise<void> {
  await Promise.all(idleDatabases.splice(0).map((database) => database.close()));
}

/** Opens a separate embedded database that is not reused. */
export async function openEmptyEmbeddedDatabase(): Promise<Database> {
  const folder = await mkdtemp(join(runFolder(), 'database-'));
  await putEmptyDatabase(folder);
  const database = await openEmbeddedDatabase(folder, log);
  await migrate(database);
  return {
    ...database,
    async close() {
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Lends a database to a test until the test closes it. Closing deletes its contents and prevents further use. */
function lendDatabase(database: Database): TestDatabase {
  const stopFunctions = new Set<() => Promise<void>>();
  let closed = false;
  const requireOpen = (): Database => {
    if (closed) throw new Error('the test has closed its database');
    return database;
  };
  const testDatabase: Database = {
    ...database,
    query: async (text, parameters) => await requireOpen().query(text, parameters),
    transaction: async (work, limit) => await requireOpen().transaction(work, limit),
    async listen(channel, listener) {
      const end = await requireOpen().listen(channel, listener);
      const stop = async () => {
        if (stopFunctions.delete(stop)) await end();
      };
      stopFunctions.add(stop);
      return stop;
    },
    async close() {
      if (closed) return;
      closed = true;
      await Promise.all([...stopFunctions].map((stop) => stop()));
      await database.query(emptyTables);
      idleDatabases.push(database);
    },
  };
  return { ...testDatabase, openAnother: async () => ({ ...testDatabase, close: async () => undefined }) };
}

const emptyTables = `
  do $$
  declare
    filled text := (
      select string_agg(oid::regclass::text, ', ') from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migrations'
        and pg_relation_size(oid) > 0
    );
  begin
    if filled is not null then execute 'truncate ' || filled || ' cascade'; end if;
  end $$`;

/** Creates a new database without a schema on a test server. */
export async function createTestPostgres(server: string): Promise<TestPostgres> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const maintenance = await openPostgres(server, log);
  await maintenance.query(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = await openPostgres(url.href, log);
  return {
    ...database,
    url: url.href,
    openAnother: () => openPostgres(url.href, log),
    async close() {
      await database.close();
      await maintenance.query(`drop database ${name} with (force)`);
      await maintenance.close();
    },
  };
}
