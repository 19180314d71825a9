import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { contractOf } from '../support/contract.ts';
import { describeJob, follow, outcome, post, type StartedJob } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningProcess;

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startService(inject('labUrl'), folder.path, { WORKER_CONCURRENCY: '1', MAX_QUEUED_JOBS: '2' });
  // The first request to a service reads its contract, which takes long.
  await contractOf(service.url);
});
afterAll(async () => {
  await service.kill();
  await folder.delete();
});

const slowJob = () =>
  describeJob(
    'convert_format',
    [{ url: labFile('/media/amber-2/movie-360.mp4', { latency: 6_000 }).url, ext: 'mp4' }],
    'mp4',
  );
const start = (job: unknown) => post<StartedJob>(`${service.url}/api/v1/render/execute`, job);

test('a job beyond the worker slots waits as queued, and then starts automatically', async () => {
  const jobs = [slowJob(), slowJob()];
  const [first, second] = await Promise.all(jobs.map(start));
  expect([first?.status, second?.status]).toEqual([202, 202]);
  const events = await Promise.all([first, second].map((started) => follow(started?.body.sseStatusUrl ?? '')));
  const statuses = events.map((list) => list.map(({ status }) => status));
  // One job found the slot free; the other one waited for it.
  expect(statuses.filter((statuses) => statuses.includes('queued'))).toHaveLength(1);
  expect(statuses.map((statuses) => statuses.at(-1))).toEqual(['done', 'done']);
});

test('a job over MAX_QUEUED_JOBS fails immediately, and can be started again', async () => {
  const jobs = Array.from({ length: 4 }, slowJob);
  for (const job of jobs) expect((await start(job)).status).toBe(202);
  const [, , , last] = jobs;
  const url = `${service.url}/api/v1/render/status/sse/${last?.id}`;
  expect(await follow(url)).toMatchObject([
    {
      status: 'failed',
      error: expect.stringContaining('Service at capacity'),
      error_code: 'at_capacity',
      retryable: true,
      input: null,
    },
  ]);
  for (const { id } of jobs.slice(0, 3)) {
    expect((await outcome(`${service.url}/api/v1/render/status/sse/${id}`)).status).toBe('done');
  }
  expect((await start(last)).status).toBe(202);
  expect((await outcome(url)).status).toBe('done');
});
