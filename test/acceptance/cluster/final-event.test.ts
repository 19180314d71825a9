import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Cluster, startCluster } from '../../support/cluster.ts';
import { describeJob, follow, post, type StartedJob } from '../../support/http-client.ts';
import { labFile } from '../../support/lab-client.ts';
import { temporaryFolder } from '../../support/processes.ts';
import { stackSettings } from '../../support/storage-stack.ts';

const TTL_MS = 180_000;

describe.skipIf(process.env.TEST_DATABASE_URL === undefined)('the final event (needs TEST_DATABASE_URL)', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let cluster: Cluster;
  let database: pg.Client;

  beforeAll(async () => {
    folder = await temporaryFolder();
    cluster = await startCluster(inject('labUrl'), folder.path, {}, 'postgres');
    database = new pg.Client((await stackSettings(folder.path, 'postgres')).DATABASE_URL);
    await database.connect();
  });
  afterAll(async () => {
    await database.end();
    await cluster.stop();
    await folder.delete();
  });

  /**
   * Starts a job on the first node and follows it on the second. Returns the milliseconds between the job's end and its
   * final event.
   */
  async function lateness(latency: number): Promise<number> {
    const [starts, watches] = cluster.nodes;
    const input = { url: labFile('/media/amber-2/sound.m4a', { latency }).url, ext: 'm4a' };
    const job = describeJob('no_process', [input], 'm4a', { ttl: TTL_MS });
    await post<StartedJob>(`${starts?.url}/api/v1/render/execute`, job);
    let eventCount = 0;
    const events = await follow(`${watches?.url}/api/v1/render/status/sse/${job.id}`, ({ status }) => {
      if (status === 'done') eventCount = Date.now();
    });
    const last = events.at(-1);
    expect(last).toMatchObject({ status: 'done' });
    // A job expires one ttl after its end, by the clock of the database, which runs on this machine.
    return eventCount - (Date.parse(last?.expires_at ?? '') - TTL_MS);
  }

  const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

  test('arrives by notification on a node that did not start the job', async () => {
    const all: number[] = [];
    // The jobs run one after the other and end at different offsets within a second. With polling once a second, half
    // of the events would be later than 500 ms.
    for (let job = 0; job < 9; job += 1) all.push(await lateness(100 + job * 110));
    expect(median(all), `all: ${all.join(', ')} ms`).toBeLessThan(400);
  });

  test('arrives by polling once a second while the listening connection stays cut', async () => {
    /** Terminates the connections whose last statement matches. */
    const closeAfter = async (lastWords: string) => {
      const { rowCount } = await database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and state = 'idle' and query ilike $1`,
        [lastWords],
      );
      return rowCount ?? 0;
    };
    // `select 1` is the keepalive of listening connections. New connections start with `listen`.
    expect((await closeAfter('listen%')) + (await closeAfter('select 1'))).toBeGreaterThan(0);
    const over = new AbortController();
    const cutting = (async () => {
      for (; !over.signal.aborted; await delay(20)) await closeAfter('listen%');
    })();
    try {
      expect(await lateness(1_000)).toBeLessThan(5_000);
    } finally {
      over.abort();
      await cutting;
    }
    // Notifications work again.
    const all: number[] = [];
    for (let job = 0; job < 5; job += 1) all.push(await lateness(100 + job * 110));
    expect(median(all)).toBeLessThan(400);
  });
});
