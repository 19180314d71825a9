import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import type { PauseReason } from '../contract/worker-pause.ts';
import { addHealthRoutes } from './health.ts';
import { createServer } from './server.ts';

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** Requests the health of a service with these checks of its database and storage. */
async function health(
  database: () => Promise<unknown>,
  storage: () => Promise<unknown>,
  { path = '/health', stopping = false, draining = false, reasons = [] as PauseReason[], workerOnly = false } = {},
) {
  const app = await createServer(pino({ level: 'silent' }));
  open.push(() => app.close());
  addHealthRoutes(app, {
    ...{ database, storage, workerOnly },
    ...{ isStopping: () => stopping, isDraining: () => draining, pauseReasons: () => reasons },
  });
  const { statusCode, headers, body } = await app.inject(path);
  return { statusCode, headers, body: JSON.parse(body) as unknown };
}

const fine = () => Promise.resolve([]);
const unreachable = () => Promise.reject(new Error('out of reach'));

test('health is ok while the database and the storage respond', async () => {
  const { statusCode, headers, body } = await health(fine, async () => undefined);
  expect([statusCode, headers['cache-control'], body]).toEqual([200, 'no-store', { status: 'ok' }]);
});

test('health is 503 once the node is about to stop, so that load balancers remove it', async () => {
  const { statusCode, body } = await health(fine, async () => undefined, { stopping: true });
  expect(statusCode).toBe(503);
  expect(body).toMatchObject({ error: { code: 'service_unavailable', message: expect.stringContaining('stop') } });
});

test.each([
  ['the database', unreachable, async () => undefined],
  ['the storage', fine, unreachable],
])('health is 503 while %s does not respond', async (_name, query, check) => {
  const { statusCode, body } = await health(query, check);
  expect(statusCode).toBe(503);
  expect(body).toMatchObject({ error: { code: 'service_unavailable', retryable: true }, metadata: {} });
});

describe('readiness', () => {
  const path = '/health/ready';

  test('requires the database but not the store: extraction and job starts work without the store', async () => {
    expect(await health(fine, unreachable, { path })).toMatchObject({ statusCode: 200, body: { status: 'ok' } });
    expect(await health(unreachable, async () => undefined, { path })).toMatchObject({
      statusCode: 503,
      body: { error: { code: 'service_unavailable', message: 'The database is unreachable. Try again later.' } },
    });
  });

  test('ends while an administrator drains the node, which stays alive and can still do its work', async () => {
    expect(await health(fine, async () => undefined, { path, draining: true })).toMatchObject({
      statusCode: 503,
      body: { error: { code: 'service_unavailable', reason: 'draining' } },
    });
    for (const other of ['/health', '/health/live']) {
      expect((await health(fine, async () => undefined, { path: other, draining: true })).statusCode).toBe(200);
    }
  });

  test('ends when the node is about to stop', async () => {
    expect((await health(fine, async () => undefined, { path, stopping: true })).statusCode).toBe(503);
  });
});

test('reports a paused worker and stays ready for the other roles', async () => {
  const { statusCode, body } = await health(fine, async () => undefined, { reasons: ['disk_full', 'store_failing'] });
  expect(statusCode).toBe(200);
  expect(body).toEqual({ status: 'ok', worker: { status: 'paused', reasons: ['disk_full', 'store_failing'] } });
});

test('is 503 while the worker is paused and is the only role', async () => {
  const { statusCode, body } = await health(fine, async () => undefined, { reasons: ['disk_full'], workerOnly: true });
  expect(statusCode).toBe(503);
  expect(body).toMatchObject({ error: { code: 'service_unavailable', message: expect.stringContaining('is full') } });
});

test('liveness is ok whatever else is unreachable', async () => {
  const { statusCode, headers, body } = await health(unreachable, () => Promise.reject(new Error('gone')), {
    path: '/health/live',
  });
  expect([statusCode, headers['cache-control'], body]).toEqual([200, 'no-store', { status: 'ok' }]);
});
