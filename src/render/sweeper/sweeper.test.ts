import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openAuditLog } from '../../audit/audit-log.ts';
import type { Database } from '../../database/database.ts';
import { createMetrics } from '../../metrics/metrics.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Queue } from '../jobs/queue/queue.ts';
import { type Sweeper, startSweeper } from './sweeper.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
let sweeper: Sweeper;
// Closing does not wait for the store, although this one never responds.
afterEach(async () => {
  await sweeper.close();
  vi.useRealTimers();
});

/** Starts a sweeper whose database may be unavailable or reject some statements, and whose store may never respond. */
function start(refusedText = 'no statement') {
  const world = { away: false, recoveries: 0, deletions: 0 };
  const database: Pick<Database, 'query'> = {
    async query<Row>(text: string) {
      if (world.away || text.includes(refusedText)) throw new Error('away');
      if (text.startsWith('select 1 from file_deletions')) return [{}] as Row[];
      // The only row that a sweep of files finds.
      if (text.startsWith('update file_deletions')) return [{ file_key: 'key', attempts: 1 }] as Row[];
      return [] as Row[];
    },
  };
  const storage: Pick<Storage, 'delete' | 'check' | 'keys' | 'sweep'> = {
    delete() {
      world.deletions += 1;
      return Promise.withResolvers<void>().promise;
    },
    check: async () => undefined,
    async *keys() {
      // The store contains no files.
    },
    sweep: async () => undefined,
  };
  const queue: Pick<Queue, 'recoverLostRuns'> = {
    async recoverLostRuns() {
      if (world.away) throw new Error('away');
      world.recoveries += 1;
    },
  };
  const auditLog = openAuditLog(['a secret']);
  const metrics = createMetrics();
  // Sweeping uses only these methods of each.
  const parts = {
    database: database as Database,
    storage: storage as Storage,
    queue: queue as Queue,
    auditDays: 400,
    auditLog,
  };
  sweeper = startSweeper({ ...parts, metrics, log: pino({ level: 'silent' }) });
  return { world, metrics };
}

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);

test('looks for lost workers every 5 s, even if the store does not respond', async () => {
  const { world } = start();
  await pass(21);
  expect(world.recoveries).toBe(4);
  // A deletion times out after 15 s, and the next sweep starts 5 s later.
  expect(world.deletions).toBe(2);
});

test('gives workers until the next sweep to send a heartbeat after an outage of the database', async () => {
  const { world } = start();
  await pass(11);
  expect(world.recoveries).toBe(2);
  world.away = true;
  await pass(20);
  world.away = false;
  await pass(5);
  expect(world.recoveries).toBe(2);
  await pass(5);
  expect(world.recoveries).toBe(3);
});

test('looks for lost workers even if expired jobs cannot be deleted, and counts that failure', async () => {
  const { world, metrics } = start('from render_jobs where expires_at');
  await pass(21);
  expect(world.recoveries).toBe(4);
  const text = await metrics.registry.getSingleMetricAsString('millrace_sweep_failures_total');
  expect(text).toContain('millrace_sweep_failures_total{duty="expired_jobs"} 5');
  expect(text).toContain('millrace_sweep_failures_total{duty="lost_workers"} 0');
});

test('repeats a failed reconciliation within a minute', async () => {
  const { metrics } = start('where file_key > ');
  await pass(61);
  const text = await metrics.registry.getSingleMetricAsString('millrace_sweep_failures_total');
  expect(text).toContain('millrace_sweep_failures_total{duty="reconciliation"} 2');
});
