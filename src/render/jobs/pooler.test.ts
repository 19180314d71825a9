import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../../../test/support/pgbouncer.ts';
import { openConcurrencyLeases } from '../../accounts/concurrency-leases.ts';
import { openKeys } from '../../accounts/keys.ts';
import { openLedger } from '../../accounts/ledger.ts';
import { parseJob } from '../../contract/parse-job.ts';
import { plans } from '../../contract/subscription-plans.ts';
import { type Database, notify } from '../../database/database.ts';
import { migrate } from '../../database/migrate.ts';
import { openPostgres } from '../../database/server/postgres-database.ts';
import { createTestPostgres, type TestPostgres } from '../../database/testing/test-database.ts';
import { createSealer } from '../../sealing/sealer.ts';
import { openStatusHub } from '../status/status-hub.ts';
import { startWorker } from '../worker/worker.ts';
import { openJobs } from './jobs.ts';
import { openQueue } from './queue/queue.ts';
import { statusesOf } from './status-row.ts';

const server = process.env.TEST_DATABASE_URL;
const secret = 'a secret of the tests';
const sealer = createSealer([secret]);

/** Fewer than a node's pool, so that connections are shared constantly. */
const CONNECTIONS = 3;

const job = (id: string) =>
  parseJob({
    id,
    inputs: [{ url: 'https://cdn.example/a.mp4', ext: 'mp4' }],
    output: { ext: 'mp4' },
    operation: { type: 'convert_format' },
    ttl: 180_000,
  });

describe.skipIf(server === undefined || !hasPgBouncer)('a database behind a transaction-mode pooler', () => {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
  let database: TestPostgres;
  let pooler: PgBouncer;
  let nodes: Database[];

  beforeAll(async () => {
    database = await createTestPostgres(server ?? '');
    pooler = await startPgBouncer(database.url, CONNECTIONS);
    nodes = await Promise.all(Array.from({ length: 4 }, () => openPostgres(pooler.url, log)));
  });
  afterAll(async () => {
    for (const node of nodes) await node.close();
    await pooler.stop();
    await database.close();
  });

  /** Runs the same function on all nodes concurrently. */
  const all = <T>(work: (node: Database) => Promise<T>) => Promise.all(nodes.map(work));
  const warnings = (text: string) => lines.filter((line) => line.includes(text));

  test('applies the statement timeout on the server only within transactions, and logs a warning', async () => {
    expect(warnings('does not pass statement_timeout on')).toHaveLength(nodes.length);
    const [node] = nodes;
    const timeout = await node?.transaction((sql) => sql.query('show statement_timeout'));
    expect(timeout).toEqual([{ statement_timeout: '10s' }]);
    // No session setting is left for the next user of the connection.
    const settings = await all((each) => each.query('show statement_timeout'));
    expect(settings.flat()).toEqual(Array(nodes.length).fill({ statement_timeout: '0' }));
  });

  test('creates the schema once, and applies every limit to all nodes together', async () => {
    await all((node) => migrate(node));
    const keys = await all((node) => openKeys(node, { hashing: [secret], signing: [secret] }, plans, log));
    const first = await Promise.all(keys.map((each) => each.createFirst('render', 'MEGA')));
    expect(first.filter((key) => key !== undefined)).toHaveLength(1);

    const ledgers = await all((node) => openLedger(node, false, log));
    const limits = { credits: 10, perSecond: 1_000 };
    const payments = await Promise.allSettled(
      ledgers.flatMap((ledger) => Array.from({ length: 20 }, () => ledger.pay('me', limits, 1))),
    );
    expect(payments.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);

    const leases = nodes.map((node) => openConcurrencyLeases(node, 7));
    const grants = await Promise.all(leases.map((each) => each.renew([{ owner: 'me', held: 0, requested: 5 }])));
    expect(grants.reduce((sum, each) => sum + (each.get('me') ?? 0), 0)).toBe(7);

    const starts = await Promise.allSettled(
      nodes.flatMap((node, nth) =>
        Array.from({ length: 10 }, (_, index) =>
          openJobs(node, sealer, 100).start(job(`job-${nth}-${index}`), 'me', { maxUnfinished: 6 }),
        ),
      ),
    );
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
    await database.query('delete from render_jobs');
    for (const resource of [...keys, ...ledgers]) await resource.close();
  });

  test('lets a job be claimed and its end reported in about a second without notifications', async () => {
    const [one, two] = nodes;
    if (one === undefined || two === undefined) throw new Error('there are nodes');
    const { hub, worker, finished } = await serve(one, two);
    expect(warnings('no database notifications arrive').length).toBeGreaterThan(0);
    const took = await finished('polled');
    // The worker and the hub take up to one second each; the limit allows for a busy machine.
    expect(took).toBeLessThan(60_000);
    await worker.close();
    await hub.close();
  });

  test('delivers all notifications with a direct address', async () => {
    const direct = await Promise.all(
      Array.from({ length: 2 }, () => openPostgres(pooler.url, log, { listenUrl: database.url })),
    );
    const [one, two] = direct;
    if (one === undefined || two === undefined) throw new Error('there are nodes');
    lines.splice(0);
    const message = Promise.withResolvers<string>();
    const stop = await one.listen('news', message.resolve);
    await notify(two, 'news', 'it works');
    expect(await message.promise).toBe('it works');
    await stop();
    const { hub, worker, finished } = await serve(one, two);
    await finished('told');
    expect(warnings('no database notifications')).toEqual([]);
    await worker.close();
    await hub.close();
    for (const node of direct) await node.close();
  });

  /** Starts a node that starts and watches jobs, and one that runs them immediately. */
  async function serve(api: Database, work: Database) {
    const queue = openQueue(work, sealer);
    const hub = await openStatusHub(statusesOf(api), () => 'https://files.example/a.mp4', log);
    const worker = await startWorker({
      id: '00000000-0000-4000-8000-000000000001',
      channels: work,
      queue,
      readiness: { check: async () => undefined, usableSlots: (slots) => slots },
      slots: 2,
      run: async ({ run }) => {
        await queue.complete(run, { key: run, name: 'a.mp4', size: 5, link: 'link', notes: [] });
      },
      discardRun: () => undefined,
      log,
    });
    return {
      hub,
      worker,
      /** Returns the milliseconds from a job's start until its end was reported. */
      async finished(id: string): Promise<number> {
        const startedAt = performance.now();
        await openJobs(api, sealer, 100).start(job(id), 'me');
        const over = Promise.withResolvers<string>();
        hub.listen(id, { onEvent: (text, final) => final && over.resolve(text) });
        expect(JSON.parse(await over.promise)).toMatchObject({ job_id: id, status: 'done' });
        return performance.now() - startedAt;
      },
    };
  }
});
