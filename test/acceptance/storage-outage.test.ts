/** @module-tag long */

import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { startTcpProxy, type TcpProxy } from '../../lab/tcp/proxy.ts';
import { freePort } from '../support/free-port.ts';
import {
  describeJob,
  fetchJson,
  follow,
  outcome,
  post,
  type StartedJob,
  type StatusEvent,
} from '../support/http-client.ts';
import { labFile, openGate, requestsWithToken } from '../support/lab-client.ts';
import { keys, type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { type S3Server, startS3 } from '../support/s3.ts';

const lab = inject('labUrl');
const MAX_QUEUED = 3;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let store: S3Server;
/** The proxy between the service and its store. */
let way: TcpProxy;
let port: string;
let adminPort: string;
let service: RunningProcess;

beforeAll(async () => {
  folder = await temporaryFolder();
  store = await startS3('files', join(folder.path, 'store'));
  way = await startTcpProxy(Number(new URL(store.environment.AWS_ENDPOINT_URL_S3 ?? '').port));
  port = String(await freePort());
  adminPort = String(await freePort());
  service = await start();
});
afterAll(async () => {
  await service.kill();
  await way.close();
  await store.stop();
  await folder.delete();
});
afterEach(() => way.open());

const start = () =>
  startService(lab, join(folder.path, 'data'), {
    ...store.environment,
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${way.port}`,
    STORAGE_URL: 's3://files/made',
    PORT: port,
    ADMIN_PORT: adminPort,
    WORKER_CONCURRENCY: '1',
    MAX_QUEUED_JOBS: String(MAX_QUEUED),
  });

/**
 * Starts a job that stores a file unchanged. Returns it with the token that finds its requests in the lab's journal.
 */
async function startJob(faults = {}) {
  const { url, token } = labFile('/media/amber-2/sound.m4a', faults);
  const { status, body } = await post<StartedJob>(
    `${service.url}/api/v1/render/execute`,
    describeJob('no_process', [{ url, ext: 'm4a' }], 'm4a'),
  );
  expect(status).toBe(202);
  return { ...body, token };
}

const statusOf = async (id: string) =>
  (
    await fetchJson<StatusEvent>(`${service.url}/api/v1/render/jobs/${id}`, {
      headers: { authorization: `Bearer ${keys.render}` },
    })
  ).body;

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length));
}

/** Starts a job, and disconnects the store while the job downloads: its result then waits for the store. */
async function waitingJob() {
  await expect.poll(() => metric('millrace_worker_paused{reason="store_failing"}')).toBe(0);
  const retries = () => metric('millrace_render_upload_retries_total{result="failed"}');
  const before = (await retries()) || 0;
  const job = await startJob({ gate: 1 });
  // Once the job is claimed, it does not matter whether a check or its upload fails first.
  const status = async () => (await statusOf(job.jobId)).status;
  await expect.poll(status).toBe('downloading_inputs');
  way.cut();
  way.refuse();
  await openGate(lab, job.token);
  await expect.poll(retries).toBeGreaterThan(before);
  expect(await metric('millrace_results_waiting')).toBe(1);
  expect(await statusOf(job.jobId)).toMatchObject({ status: 'uploading_output' });
  return job;
}

test('jobs wait during an outage of the store, those above the queue limit fail, and all others are completed afterwards', async () => {
  const first = await waitingJob();
  expect(await metric('millrace_results_waiting_bytes')).toBeGreaterThan(0);
  await expect.poll(() => metric('millrace_worker_paused{reason="store_failing"}')).toBe(1);
  // The waiting result takes up no slot, but the paused worker claims no job for it.
  await expect.poll(() => metric('millrace_worker_slots')).toBe(1);
  expect((await fetchJson(`${service.url}/health/ready`)).status).toBe(200);
  const waiting = [];
  for (let count = 0; count < MAX_QUEUED; count += 1) waiting.push(await startJob());
  for (const { jobId } of waiting) expect(await statusOf(jobId)).toMatchObject({ status: 'queued' });
  const refusal = await startJob();
  expect(await outcome(refusal.sseStatusUrl)).toMatchObject({ status: 'failed', error_code: 'at_capacity' });

  way.open();
  for (const { sseStatusUrl } of [first, ...waiting]) {
    expect(await outcome(sseStatusUrl)).toMatchObject({ status: 'done' });
  }
  expect(await metric('millrace_worker_paused{reason="store_failing"}')).toBe(0);
  expect(await metric('millrace_results_waiting')).toBe(0);
  expect(await metric('millrace_render_upload_retries_total{result="stored"}')).toBeGreaterThan(0);
});

test('a job whose result waits for the store can be cancelled', async () => {
  const { jobId, sseStatusUrl } = await waitingJob();
  const { status } = await fetchJson(`${service.url}/api/v1/render/jobs/${jobId}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${keys.render}` },
  });
  expect(status).toBe(200);
  expect(await outcome(sseStatusUrl)).toMatchObject({ status: 'failed', error_code: 'cancelled' });
  await expect.poll(() => metric('millrace_results_waiting')).toBe(0);
});

test.each([
  ['drained', () => service.stop()],
  ['killed', () => service.kill()],
])('a waiting result is stored after its service was %s, and nothing is downloaded again', async (_how, end) => {
  const { jobId, sseStatusUrl, token } = await waitingJob();
  const requestCount = (await requestsWithToken(lab, token)).length;
  await end();
  way.open();
  service = await start();
  const events = await follow(sseStatusUrl);
  expect(events.at(-1)).toMatchObject({ status: 'done' });
  const { url = '', receipt } = events.at(-1)?.output ?? {};
  expect((await fetch(url)).status).toBe(200);
  expect((await fetch(receipt ?? '')).status).toBe(200);
  expect(await requestsWithToken(lab, token)).toHaveLength(requestCount);
  expect(service.output()).toContain(jobId);
});

test('a silent store does not delay a stop, and the job whose upload was interrupted runs again', async () => {
  const { jobId, sseStatusUrl, token } = await startJob({ gate: 1 });
  const status = async () => (await statusOf(jobId)).status;
  await expect.poll(status).toBe('downloading_inputs');
  way.blackHole();
  await openGate(lab, token);
  await expect.poll(status).toBe('uploading_output');
  await service.stop();
  expect(service.process.exitCode).toBe(0);
  way.open();
  service = await start();
  expect(await outcome(sseStatusUrl)).toMatchObject({ status: 'done' });
});
