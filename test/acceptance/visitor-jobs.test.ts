import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Result } from '../support/envelope.ts';
import { describeJob, eventsOf, outcome, post, type StartedJob } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';

const page = { 'x-millrace-page': '1', 'sec-fetch-site': 'same-origin' };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningProcess;

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startService(inject('labUrl'), folder.path, { WORKER_CONCURRENCY: '2', MAX_QUEUED_JOBS: '4' });
});
afterAll(async () => {
  await service.kill();
  await folder.delete();
});

/** Starts the job of a visitor. Its media never arrives. */
async function visit(): Promise<string> {
  const query = '/p1/v3/video/details?videoId=lab-all-not&renderableFormats=lowres';
  const response = await fetch(service.url + query, { headers: page });
  const { contents } = (await response.json()) as Result;
  const started = await fetch(contents?.[0]?.renderableVideos?.[0]?.renderConfig?.executionUrl ?? '');
  expect(started.status).toBe(202);
  return ((await started.json()) as StartedJob).sseStatusUrl;
}

const startOfKey = () =>
  post<StartedJob>(
    `${service.url}/api/v1/render/execute`,
    describeJob('no_process', [{ url: labFile('/media/amber-2/movie-360.mp4').url, ext: 'mp4' }], 'mp4'),
  );

/** Waits until a worker has claimed a job. */
async function claimed(sseStatusUrl: string): Promise<void> {
  const { body } = await fetch(sseStatusUrl);
  if (body === null) throw new Error('the status stream has no body');
  for await (const { status } of eventsOf(body)) if (status === 'downloading_inputs') return;
  throw new Error('the job was not claimed');
}

/** Returns the current state of a job. */
async function stateOf(sseStatusUrl: string): Promise<string> {
  const id = sseStatusUrl.split('/').at(-1);
  const response = await fetch(`${service.url}/api/v1/render/jobs/${id}`);
  return ((await response.json()) as { status: string }).status;
}

test('the jobs of visitors fill neither all slots nor the queue: the job of a key is done while they are held', async () => {
  const first = await visit();
  await claimed(first);
  const held = [first, await visit(), await visit()];
  expect(await outcome(await visit())).toMatchObject({ status: 'failed', error_code: 'at_capacity' });
  for (let jobs = 0; jobs < 2; jobs += 1) {
    const { status, body } = await startOfKey();
    expect(status).toBe(202);
    expect(await outcome(body.sseStatusUrl)).toMatchObject({ status: 'done' });
  }
  const states = await Promise.all(held.map(stateOf));
  expect(states.filter((state) => state === 'downloading_inputs')).toHaveLength(1);
  expect(states.filter((state) => state === 'queued' || state === 'pending')).toHaveLength(2);
});
