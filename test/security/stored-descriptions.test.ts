/** @module-tag long */

import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { describeJob, post } from '../support/http-client.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';

const ROWS_PER_JOB = 50;
const plan = { credits: 1e9, requestsPerSecond: 1e6, startsPerSecond: 1e6, jobsAtOnce: 1 };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningProcess;

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startService(inject('labUrl'), folder.path, { PLAN_LIMITS: JSON.stringify({ MEGA: plan }) });
});
afterAll(async () => {
  await service.stop();
  await folder.delete();
});

test('a key can store job descriptions up to its quota, and learns when it can store more', async () => {
  const store = () => {
    const job = describeJob('convert_format', [{ url: 'https://cdn.example/a.mp4', ext: 'mp4' }], 'mp4');
    return post(`${service.url}/api/v1/render/cache`, job);
  };
  const responses = await Promise.all(Array.from({ length: ROWS_PER_JOB + 5 }, store));
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(ROWS_PER_JOB);
  const refused = responses.filter(({ status }) => status !== 201);
  expect(refused).toHaveLength(5);
  for (const { status, headers, body } of refused) {
    expect(status).toBe(429);
    expect(body).toMatchObject({ error: { code: 'rate_limited' } });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
});
