import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Database, notify } from './database.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { freshPostgres } from './testing.ts';

const server = process.env.TEST_DATABASE_URL;

describe.skipIf(server === undefined)('a PostgreSQL database', () => {
  let database: Database;
  beforeAll(async () => {
    database = await freshPostgres(server ?? '');
  });
  afterAll(() => database.close());

  test('keeps what a transaction wrote, and nothing of one that failed', async () => {
    await database.query('create table kept (value integer)');
    await database.transaction((sql) => sql.query('insert into kept values (1)'));
    const failing = database.transaction(async (sql) => {
      await sql.query('insert into kept values (2)');
      throw new Error('on second thoughts');
    });
    await expect(failing).rejects.toThrow('on second thoughts');
    expect(await database.query('select value from kept')).toEqual([{ value: 1 }]);
  });

  test('is brought up to date by many nodes at once, once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => migrate(database)));
    const applied = await database.query<{ version: number }>('select version from schema_migrations order by version');
    expect(applied.map(({ version }) => version)).toEqual(applied.map((_, index) => index + 1));
    expect(applied.length).toBeGreaterThan(0);
  });

  test('a transaction whose connection is cut fails, and the next one works', async () => {
    const cut = database.transaction(async (sql) => {
      await sql.query('select pg_terminate_backend(pg_backend_pid())');
      await sql.query('select 1');
    });
    await expect(cut).rejects.toThrow();
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('is heard again after the connection that listens was cut', async () => {
    const heard: string[] = [];
    const stop = await database.listen('news', (payload) => heard.push(payload));
    await notify(database, 'news', 'first');
    await vi.waitFor(() => expect(heard).toContain('first'));
    await database.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'listen%'`);
    await vi.waitFor(
      async () => {
        await notify(database, 'news', 'second');
        expect(heard).toContain('second');
      },
      { timeout: 20_000, interval: 200 },
    );
    await stop();
  });

  test('that is out of reach is told in words', async () => {
    const opening = openPostgres('postgresql://nobody@127.0.0.1:1/none', pino({ level: 'silent' }));
    await expect(opening).rejects.toThrow(/DATABASE_URL cannot be opened: .*ECONNREFUSED/);
  });
});
