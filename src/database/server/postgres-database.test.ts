import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { startTcpProxy } from '../../../lab/tcp/proxy.ts';
import { databasePort, throughPort } from '../../../test/support/free-port.ts';
import { notify } from '../database.ts';
import { migrate, SchemaTooNewError } from '../migrate.ts';
import { createTestPostgres, type TestPostgres } from '../testing/test-database.ts';
import { openPostgres, type PostgresOptions } from './postgres-database.ts';

const server = process.env.TEST_DATABASE_URL;
const log = pino({ level: 'silent' });
const unavailable = { code: 'service_unavailable', status: 503 };
const short: PostgresOptions = { timeLimits: { connect: 1_000, statement: 500, echo: 400 } };

describe.skipIf(server === undefined)('a PostgreSQL database', () => {
  let database: TestPostgres;
  const open: { close(): Promise<void> }[] = [];
  const own = <T extends { close(): Promise<void> }>(resource: T): T => {
    open.push(resource);
    return resource;
  };

  afterEach(async () => {
    for (const resource of open.splice(0).reverse()) await resource.close();
  });
  beforeAll(async () => {
    database = await createTestPostgres(server ?? '');
  });
  afterAll(() => database.close());

  test('keeps the data of a committed transaction, and none of a failed one', async () => {
    await database.query('create table kept (value integer)');
    await database.transaction((sql) => sql.query('insert into kept values (1)'));
    const failing = database.transaction(async (sql) => {
      await sql.query('insert into kept values (2)');
      throw new Error('on second thoughts');
    });
    await expect(failing).rejects.toThrow('on second thoughts');
    expect(await database.query('select value from kept')).toEqual([{ value: 1 }]);
  });

  test('fails a transaction whose connection is cut, and runs the next one', async () => {
    const cut = database.transaction(async (sql) => {
      await sql.query('select pg_terminate_backend(pg_backend_pid())');
      await sql.query('select 1');
    });
    await expect(cut).rejects.toThrow();
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('counts a call as waiting only if no connection is free and none can be opened', async () => {
    const waiting = () => database.state().waiting;
    await database.query('select 1');
    const quick = [1, 2, 3].map(() => database.query('select 1'));
    expect([database.state().idle > 0, waiting()]).toEqual([true, 0]);
    await Promise.all(quick);
    const slow = Array.from({ length: 12 }, () => database.query('select pg_sleep(0.2)'));
    await expect.poll(waiting).toBe(2);
    await Promise.all(slow);
    expect(waiting()).toBe(0);
  });

  test('receives notifications again after the listening connection was cut', async () => {
    const listener: string[] = [];
    const stop = await database.listen('news', (payload) => listener.push(payload));
    await notify(database, 'news', 'first');
    await vi.waitFor(() => expect(listener).toContain('first'), { timeout: 60_000 });
    await database.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'listen%'`);
    await vi.waitFor(
      async () => {
        await notify(database, 'news', 'second');
        expect(listener).toContain('second');
      },
      { timeout: 60_000, interval: 200 },
    );
    await stop();
  });

  test('reports an unreachable server with its cause', async () => {
    const opening = openPostgres('postgresql://nobody@127.0.0.1:1/none', log);
    await expect(opening).rejects.toThrow(/DATABASE_URL cannot be opened: .*ECONNREFUSED/);
  });

  test('counts only those calls as waiting that find all connections in use', async () => {
    const node = own(await openPostgres(database.url, log, short));
    const one = node.query('select 1');
    expect(node.state().waiting).toBe(0);
    await one;
    const held = Array.from({ length: 12 }, () => node.query('select pg_sleep(0.2)'));
    await vi.waitFor(() => expect(node.state().waiting).toBe(2), { timeout: 60_000 });
    await Promise.all(held);
    expect(node.state().waiting).toBe(0);
  });

  describe('a statement', () => {
    test('fails in time if it takes too long, alone or in a transaction, and later ones work', async () => {
      const node = own(await openPostgres(database.url, log, short));
      await expect(node.query('select pg_sleep(30)')).rejects.toMatchObject(unavailable);
      await expect(node.transaction((sql) => sql.query('select pg_sleep(30)'))).rejects.toMatchObject(unavailable);
      await expect(node.transaction((sql) => sql.query('select pg_sleep(0.6)'), 5_000)).resolves.toHaveLength(1);
      const asleep = await node.query(`select 1 from pg_stat_activity
        where datname = current_database() and state = 'active' and query like 'select pg_sleep%'`);
      expect(asleep).toEqual([]);
    });

    test('waits for a free connection no longer than for a new one', async () => {
      const node = own(await openPostgres(database.url, log, short));
      const leave = Promise.withResolvers<void>();
      const busy = Array.from({ length: 10 }, () => node.transaction(() => leave.promise));
      await expect(node.query('select 1')).rejects.toMatchObject(unavailable);
      leave.resolve();
      await Promise.allSettled(busy);
      expect(await node.query('select 1 as one')).toEqual([{ one: 1 }]);
    });

    test("with a mistake fails with the server's error", async () => {
      await expect(database.query('select nonsense')).rejects.toMatchObject({ code: '42703' });
    });

    test('fails in a transaction that the server has ended because it was idle', async () => {
      const node = own(await openPostgres(database.url, log, short));
      const idle = node.transaction(async (sql) => {
        await vi.waitFor(
          async () => {
            const [row] = await database.query<{ idle: number }>(
              `select count(*)::integer as idle from pg_stat_activity
               where datname = current_database() and state = 'idle in transaction'`,
            );
            expect(row).toEqual({ idle: 0 });
          },
          { timeout: 60_000, interval: 100 },
        );
        await sql.query('select 1');
      });
      await expect(idle).rejects.toMatchObject(unavailable);
    });
  });

  test('completes transactions that deadlock', async () => {
    await database.query('create table pair (name text primary key, value integer not null)');
    await database.query(`insert into pair values ('a', 0), ('b', 0)`);
    const first = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    const add = (names: readonly [string, string], mine: PromiseWithResolvers<void>, other: Promise<void>) =>
      database.transaction(async (sql) => {
        await sql.query('update pair set value = value + 1 where name = $1', [names[0]]);
        mine.resolve();
        await other;
        await sql.query('update pair set value = value + 1 where name = $1', [names[1]]);
      });
    await Promise.all([add(['a', 'b'], first, second.promise), add(['b', 'a'], second, first.promise)]);
    expect(await database.query('select value from pair order by name')).toEqual([{ value: 2 }, { value: 2 }]);
  });

  test('keeps working when the server has ended every connection', async () => {
    const node = own(await openPostgres(database.url, log, short));
    await Promise.all(Array.from({ length: 10 }, () => node.query('select pg_sleep(0.1)')));
    const listener: string[] = [];
    await node.listen('after', (payload) => listener.push(payload));
    await database.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await vi.waitFor(async () => expect(await node.query('select 1 as one')).toEqual([{ one: 1 }]), {
      timeout: 60_000,
    });
    await vi.waitFor(
      async () => {
        await notify(node, 'after', 'again');
        expect(listener).toContain('again');
      },
      { timeout: 60_000, interval: 200 },
    );
  });

  test('fails in time behind a network that drops everything, and works again afterwards', async () => {
    const proxy = own(await startTcpProxy(databasePort(database.url)));
    const node = own(await openPostgres(throughPort(database.url, proxy.port), log, short));
    const listener: string[] = [];
    await node.listen('after', (payload) => listener.push(payload));
    await Promise.all(Array.from({ length: 10 }, () => node.query('select pg_sleep(0.1)')));
    proxy.blackHole();
    const startedAt = performance.now();
    // First the pool's connections are silent; then no new connection can be opened.
    for (const _ of [1, 2]) {
      const lost = await Promise.allSettled(Array.from({ length: 3 }, () => node.query('select 1')));
      for (const outcome of lost) expect(outcome).toMatchObject({ status: 'rejected', reason: unavailable });
    }
    await expect(node.transaction((sql) => sql.query('select 1'))).rejects.toMatchObject(unavailable);
    // A response may take half a second plus a margin of two seconds, and each connection one second.
    expect(performance.now() - startedAt).toBeLessThan(60_000);
    proxy.open();
    // None of the silent connections that were idle in the meantime is used again.
    await Promise.all(Array.from({ length: 10 }, () => node.query('select pg_sleep(0.1)')));
    await vi.waitFor(
      async () => {
        await notify(database, 'after', 'again');
        expect(listener).toContain('again');
      },
      { timeout: 60_000, interval: 200 },
    );
  });

  describe('the schema', () => {
    test('is created once by nodes that start together, each with its own connections', async () => {
      const fresh = own(await createTestPostgres(server ?? ''));
      const nodes = await Promise.all(Array.from({ length: 8 }, () => fresh.openAnother()));
      for (const node of nodes) own(node);
      await Promise.all(nodes.map((node) => migrate(node)));
      const applied = await fresh.query<{ version: number }>('select version from schema_migrations order by version');
      expect(new Set(applied.map(({ version }) => version)).size).toBe(applied.length);
      expect(applied.length).toBeGreaterThan(0);
    });

    test('of a newer version is rejected', async () => {
      const fresh = own(await createTestPostgres(server ?? ''));
      await migrate(fresh);
      await fresh.query(`insert into schema_migrations (version, name) values (9999, 'later')`);
      const refusal = migrate(fresh);
      await expect(refusal).rejects.toThrow(SchemaTooNewError);
      await expect(refusal).rejects.toThrow(
        /has schema 9999, but this version of Millrace supports only schemas up to \d+/,
      );
    });

    test('is not changed while a table is locked for a long time, because all other statements would queue', async () => {
      const fresh = own(await createTestPostgres(server ?? ''));
      await fresh.query('create table held (a integer)');
      const folder = await mkdtemp(join(tmpdir(), 'millrace-migrations-'));
      await writeFile(join(folder, '0001_b.sql'), 'alter table held add column b integer;\n');
      await fresh.transaction(async (sql) => {
        await sql.query('select * from held');
        const changing = migrate(fresh, pathToFileURL(`${folder}/`));
        await expect(changing).rejects.toThrow(/could not be changed by 0001_b.sql and is unchanged: .*lock timeout/);
      });
      await migrate(fresh, pathToFileURL(`${folder}/`));
      expect(await fresh.query('select b from held')).toEqual([]);
      await rm(folder, { recursive: true });
    });
  });
});
