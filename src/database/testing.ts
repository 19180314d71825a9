import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { putEmptyDatabase } from '../../test/support/empty-database.ts';
import type { Database } from './database.ts';
import { openEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';

const log = pino({ level: 'silent' });

/** For tests of what opens an embedded database by itself. */
export { putEmptyDatabase };

/** A database that is deleted when it is closed. */
export interface TestDatabase extends Database {
  /** Opens it as another node would: by a pool of its own, where there is a server. */
  another(): Promise<Database>;
}

/** A {@link TestDatabase} on a server. */
export interface TestPostgres extends TestDatabase {
  readonly url: string;
}

/**
 * A fresh database for a test, with the schema in place; `close` also deletes it. It is an embedded one, or with
 * another `TEST_STACK` than `embedded` one on the server of `TEST_DATABASE_URL` (a role that may create databases).
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  const { TEST_STACK: stack = 'embedded', TEST_DATABASE_URL: server } = process.env;
  if (stack !== 'embedded' && server === undefined) throw new Error(`TEST_STACK=${stack} needs TEST_DATABASE_URL`);
  const fresh = stack === 'embedded' || server === undefined ? await freshEmbedded() : await freshPostgres(server);
  await migrate(fresh);
  return fresh;
}

async function freshEmbedded(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-database-'));
  await putEmptyDatabase(folder);
  const database = await openEmbedded(folder, log);
  return {
    ...database,
    another: async () => ({ ...database, close: async () => undefined }),
    async close() {
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A fresh database, without a schema, on a server of the tests. */
export async function freshPostgres(server: string): Promise<TestPostgres> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const maintenance = await openPostgres(server, log);
  await maintenance.query(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = await openPostgres(url.href, log);
  return {
    ...database,
    url: url.href,
    another: () => openPostgres(url.href, log),
    async close() {
      await database.close();
      await maintenance.query(`drop database ${name} with (force)`);
      await maintenance.close();
    },
  };
}
