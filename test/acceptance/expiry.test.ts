/** @module-tag long */

import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { describeJob, fetchJson, outcome, post, type StartedJob } from '../support/http-client.ts';
import { labFile, requestsWithToken } from '../support/lab-client.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { stack } from '../support/storage-stack.ts';

/** The shortest allowed ttl. */
const TTL_MS = 180_000;
/**
 * Seconds that pass for the service in one real second. The embedded database has the service's clock; a database
 * server does not.
 */
const CLOCK_RATE = stack === 'embedded' ? 3 : 1;

/** Seconds for the webhook receiver's Retry-After: longer than the job lives, plus some real seconds. */
const LATE_S = TTL_MS / 1_000 + 18 * CLOCK_RATE;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let running: RunningProcess;

beforeAll(async () => {
  folder = await temporaryFolder();
  running = await startService(inject('labUrl'), folder.path, {}, { clockRate: CLOCK_RATE });
});
afterAll(async () => {
  await running.kill();
  await folder.delete();
});

test('an expired job loses its file and its stored description, an active one is stopped, and its webhook is still delivered', {
  timeout: 600_000,
}, async () => {
  const service = running.url;
  const clip = { url: labFile('/media/amber-2/movie-360.mp4').url, ext: 'mp4' };
  const receiver = labFile('/media/amber-2/still-720.jpg', { status: 503, times: 1, retryAfter: LATE_S });
  const webhook = { url: receiver.url, secret: 'any text will do' };
  const done = describeJob('convert_format', [clip], 'mp4', { ttl: TTL_MS, webhook });
  const endless = {
    url: labFile('/media/giant-10/movie-360.mp4', { throttle: 2_000 }).url,
    ext: 'mp4',
    timeout: 600_000,
  };
  const active = describeJob('convert_format', [endless], 'mp4', { ttl: TTL_MS });
  // A job that nothing else refers to: a request for its stored description that arrives in time starts it.
  const stored = describeJob('convert_format', [clip], 'mp4', { ttl: TTL_MS });

  const { body } = await post<StartedJob>(`${service}/api/v1/render/execute`, done);
  const event = await outcome(body.sseStatusUrl);
  expect((await fetch(event.output?.url ?? '', { method: 'HEAD' })).status).toBe(200);
  await post(`${service}/api/v1/render/execute`, active);
  const cached = await post<{ executionUrl: string }>(`${service}/api/v1/render/cache`, stored);

  const expiry = { timeout: 2 * TTL_MS, interval: 500 };
  await expect.poll(() => outcome(body.sseStatusUrl), expiry).toMatchObject({ id: done.id, status: 'not_found' });
  const tries = () => requestsWithToken(inject('labUrl'), receiver.token);
  expect(await tries()).toHaveLength(1);
  expect((await fetch(event.output?.url ?? '')).status).toBe(410);
  const activeOutcome = () => outcome(`${service}/api/v1/render/status/sse/${active.id}`);
  await expect.poll(activeOutcome, expiry).toMatchObject({ status: 'not_found' });
  await expect.poll(async () => (await fetchJson(cached.body.executionUrl)).status, expiry).toBe(404);

  await expect.poll(async () => (await tries()).length, { timeout: LATE_S * 1_000, interval: 1_000 }).toBe(2);
  const [first, second] = await tries();
  expect(JSON.parse(first?.body ?? '')).toEqual(event);
  expect(second?.body).toBe(first?.body);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);

  const again = await post<StartedJob>(`${service}/api/v1/render/execute`, done);
  expect(again.status).toBe(202);
  expect((await outcome(again.body.sseStatusUrl)).status).toBe('done');
});
