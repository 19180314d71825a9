import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { MillraceError } from '../contract/errors.ts';
import type { Database } from '../database/database.ts';
import type { StatusHub, StatusListener } from '../render/status/status-hub.ts';
import type { Storage } from '../storage/storage.ts';
import { addBreakerMetrics } from './breaker-metrics.ts';
import { instrumentDatabase } from './instrument-database.ts';
import { instrumentStatusStreams } from './instrument-status-streams.ts';
import { instrumentStorage } from './instrument-storage.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { addNodeMetrics } from './node-metrics.ts';

async function linesOf(metrics: Metrics): Promise<string[]> {
  return (await metrics.registry.metrics()).split('\n');
}

const failing = () => Promise.reject(new Error('gone'));

/** Returns a database with this `query`. */
function databaseOf(query: () => Promise<never[]>): Database {
  return {
    query,
    transaction: (work) => work({ query }),
    listen: async () => async () => undefined,
    state: () => ({ open: 3, idle: 1, waiting: 4, listening: false }),
    close: async () => undefined,
  };
}

test('database calls are timed, and an error of the work of a transaction is not counted as a failure', async () => {
  const metrics = createMetrics();
  const fine = instrumentDatabase(
    databaseOf(async () => []),
    metrics,
  );
  await fine.query('select 1');
  const refused = new MillraceError('rate_limited', 'Too many.');
  await expect(fine.transaction(() => Promise.reject(refused))).rejects.toBe(refused);
  const broken = instrumentDatabase(databaseOf(failing), metrics);
  await expect(broken.query('select 1')).rejects.toThrow('gone');
  await expect(broken.transaction((sql) => sql.query('select 1'))).rejects.toThrow('gone');
  const lines = await linesOf(metrics);
  expect(lines).toContain('millrace_database_seconds_count{call="query"} 2');
  expect(lines).toContain('millrace_database_seconds_count{call="transaction"} 2');
  expect(lines).toContain('millrace_database_errors_total{call="query"} 1');
  expect(lines).toContain('millrace_database_errors_total{call="transaction"} 1');
});

test('database outages are counted, also those that a transaction meets', async () => {
  const metrics = createMetrics();
  // The database reports an outage with the same class of error as a refusal.
  const outage = new MillraceError('service_unavailable', 'The database is unreachable or too slow.');
  const broken = instrumentDatabase(
    databaseOf(() => Promise.reject(outage)),
    metrics,
  );
  await expect(broken.query('select 1')).rejects.toBe(outage);
  await expect(broken.transaction((sql) => sql.query('select 1'))).rejects.toBe(outage);
  const unreachable = instrumentDatabase(
    { ...databaseOf(async () => []), transaction: () => Promise.reject(outage) },
    metrics,
  );
  await expect(unreachable.transaction((sql) => sql.query('select 1'))).rejects.toBe(outage);
  const lines = await linesOf(metrics);
  expect(lines).toContain('millrace_database_errors_total{call="query"} 1');
  expect(lines).toContain('millrace_database_errors_total{call="transaction"} 2');
});

test('the time limit of a transaction reaches the database', async () => {
  const limits: unknown[] = [];
  const database: Database = {
    ...databaseOf(async () => []),
    transaction(work, limit) {
      limits.push(limit);
      return work({ query: async () => [] });
    },
  };
  await instrumentDatabase(database, createMetrics()).transaction(async () => undefined, 60_000);
  expect(limits).toEqual([60_000]);
});

test('the database connections and the disk of a process are reported', async () => {
  const metrics = createMetrics();
  addNodeMetrics(metrics, databaseOf(failing), tmpdir());
  const lines = await linesOf(metrics);
  for (const line of [
    'millrace_database_up 0',
    'millrace_database_listening 0',
    'millrace_database_connections{state="busy"} 2',
    'millrace_database_connections{state="idle"} 1',
    'millrace_database_waiting 4',
  ]) {
    expect(lines).toContain(line);
  }
  const free = Number(lines.find((line) => line.startsWith('millrace_data_free_bytes '))?.split(' ')[1]);
  const size = Number(lines.find((line) => line.startsWith('millrace_data_size_bytes '))?.split(' ')[1]);
  expect(free > 0 && free <= size).toBe(true);
});

test('a database that does not respond is reported as down while there is time', async () => {
  vi.useFakeTimers();
  try {
    const metrics = createMetrics();
    addNodeMetrics(
      metrics,
      databaseOf(() => new Promise(() => undefined)),
      tmpdir(),
    );
    const lines = linesOf(metrics);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await lines).toContain('millrace_database_up 0');
  } finally {
    vi.useRealTimers();
  }
});

test('storage calls and their bytes are counted, and a cancelled call is not counted as failed', async () => {
  const metrics = createMetrics();
  const path = join(tmpdir(), 'file');
  const put = (answer: Storage['put']) => {
    const storage: Storage = {
      prepare: () => undefined,
      put: answer,
      delete: failing,
      async *keys() {
        yield ['a'];
        yield ['b'];
      },
      read: failing,
      storedAt: async () => undefined,
      readMark: async () => undefined,
      writeMark: async () => true,
      sweep: async () => undefined,
      check: failing,
      close: async () => undefined,
    };
    return instrumentStorage(storage, metrics);
  };
  const call = { size: 7, signal: new AbortController().signal, onProgress: () => undefined };
  await put(async () => ({})).put('k', path, call);
  await expect(put(failing).put('k', path, call)).rejects.toThrow('gone');
  await expect(put(failing).put('k', path, { ...call, signal: AbortSignal.abort() })).rejects.toThrow('gone');
  const storage = put(failing);
  await expect(storage.delete('k')).rejects.toThrow('gone');
  await expect(storage.check()).rejects.toThrow('gone');
  expect((await Array.fromAsync(storage.keys())).flat()).toEqual(['a', 'b']);
  const lines = await linesOf(metrics);
  for (const line of [
    'millrace_storage_written_bytes_total 7',
    'millrace_storage_seconds_count{call="put"} 3',
    'millrace_storage_errors_total{call="put"} 1',
    'millrace_storage_errors_total{call="delete"} 1',
    'millrace_storage_errors_total{call="check"} 1',
    'millrace_storage_seconds_count{call="list"} 3',
  ]) {
    expect(lines).toContain(line);
  }
});

test('a status stream is counted until its job ends or its listener disconnects', async () => {
  const metrics = createMetrics();
  const listeners: StatusListener[] = [];
  const hub: StatusHub = {
    listen(_id, listener) {
      listeners.push(listener);
      return () => undefined;
    },
    close: async () => undefined,
  };
  const counted = instrumentStatusStreams(hub, metrics);
  const observed: string[] = [];
  const listener = { onEvent: (text: string) => observed.push(text) };
  const stops = ['a', 'b', 'c'].map((id) => counted.listen(id, listener));
  expect(await linesOf(metrics)).toContain('millrace_status_streams 3');
  listeners[0]?.onEvent('working', false);
  listeners[0]?.onEvent('done', true);
  stops[0]?.();
  stops[1]?.();
  expect(await linesOf(metrics)).toContain('millrace_status_streams 1');
  expect(observed).toEqual(['working', 'done']);
});

test('open and half-open circuits are counted by platform', async () => {
  const metrics = createMetrics();
  const since = new Date(0);
  addBreakerMetrics(metrics, [{ id: 'p1' }, { id: 'p2' }], () => [
    { platform: 'p1', exit: 'direct', state: 'open', since },
    { platform: 'p1', exit: 'FR', state: 'half_open', since },
    { platform: 'p1', exit: 'US', state: 'closed', since },
  ]);
  const lines = await linesOf(metrics);
  expect(lines).toContain('millrace_circuits_open{platform="p1"} 2');
  expect(lines).toContain('millrace_circuits_open{platform="p2"} 0');
});

test('runs are counted by outcome, with the duration of each stage', async () => {
  const metrics = createMetrics();
  const [done, failed] = [metrics.startRun(45_000), metrics.startRun(0)];
  metrics.startRun(0);
  done.enterStage('processing');
  done.enterStage('uploading_output');
  done.end('ok');
  failed.end('source_refused');
  const lines = await linesOf(metrics);
  for (const line of [
    'millrace_render_running 1',
    'millrace_render_job_seconds_bucket{le="30"} 0',
    'millrace_render_job_seconds_bucket{le="60"} 1',
    'millrace_render_job_seconds_count 1',
    'millrace_render_runs_total{code="ok"} 1',
    'millrace_render_runs_total{code="source_refused"} 1',
    'millrace_render_stage_seconds_count{stage="downloading_inputs"} 2',
    'millrace_render_stage_seconds_count{stage="processing"} 1',
    'millrace_render_stage_seconds_count{stage="uploading_output"} 1',
  ]) {
    expect(lines).toContain(line);
  }
});
