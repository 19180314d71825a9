/** @module-tag long */

import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { WebSocket } from 'ws';
import { childrenOf, waitForExit } from '../support/child-processes.ts';
import { waitForLog } from '../support/cluster.ts';
import { freePort } from '../support/free-port.ts';
import { describeJob, outcome, post, render, type StartedJob } from '../support/http-client.ts';
import { labFile, openGate } from '../support/lab-client.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';

const lab = inject('labUrl');
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let port: string;
/** The service that runs, and its settings. */
let current: { readonly service: RunningProcess; readonly settings: Settings } | undefined;

type Settings = Readonly<Record<string, string>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  port = String(await freePort());
});
afterAll(async () => {
  await current?.service.kill();
  await folder.delete();
});

/** Starts the service, or returns it if it runs with these settings. */
async function start(settings: Settings): Promise<RunningProcess> {
  if (current?.settings === settings) return current.service;
  await current?.service.kill();
  current = { service: await startService(lab, folder.path, { PORT: port, ...settings }), settings };
  return current.service;
}

/** Settings of the services of the tests. Each test ends one, and starts the next one with the next test's. */
const patient: Settings = { DRAIN_TIMEOUT: '60', DRAIN_DELAY: '10' };
const hasty: Settings = { DRAIN_TIMEOUT: '1' };
const interrupted: Settings = { DRAIN_TIMEOUT: '60' };

/** Starts a job that stores a file unchanged. Its source waits until the gate of the token is open. */
async function startJob(service: RunningProcess, path: string): Promise<StartedJob & { readonly token: string }> {
  const { url, token } = labFile(path, { gate: 1 });
  const job = describeJob('no_process', [{ url, ext: 'm4a' }], 'm4a', { chunkDownload: { concurrency: 1 } });
  return { ...(await post<StartedJob>(`${service.url}/api/v1/render/execute`, job)).body, token };
}

/** Opens a URL over its own connection without reading the body. */
async function open(url: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(url, { agent: false }, resolve).on('error', reject);
  return promise;
}

test('a process that is stopped lets jobs and downloads end, and disconnects subscribers', async () => {
  const service = await start(patient);
  const large = describeJob('no_process', [{ url: labFile('/media/giant-20/video-1080.mp4').url, ext: 'mp4' }], 'mp4');
  const { event } = await render(service.url, large);
  const download = await open(event.output?.url ?? '');

  const { jobId, statusUrl, sseStatusUrl, token } = await startJob(service, '/media/amber-2/sound.m4a');
  await expect.poll(() => waitForLog(service.output(), jobId, 'job taken up')).toBe(true);
  const events = buffer(await open(sseStatusUrl));
  const socket = new WebSocket(statusUrl);
  await once(socket, 'message');

  // Unlike `exit`, this event comes after all output.
  const exit = once(service.process, 'close');
  const sentAway = once(socket, 'close');
  service.process.kill('SIGTERM');
  await expect.poll(async () => (await fetch(`${service.url}/health`)).status).toBe(503);
  expect((await sentAway)[0]).toBe(1001);
  expect(String(await events)).toMatch(/"downloading_inputs".*\n\nretry: \d+\n\n$/s);
  await openGate(lab, token);
  await expect(fetch(`${service.url}/health`)).rejects.toThrow();
  expect((await buffer(download)).length).toBe(event.output?.size);
  expect(await exit).toEqual([0, null]);
  expect(waitForLog(service.output(), jobId, 'job done')).toBe(true);

  const again = await start(hasty);
  expect(await outcome(sseStatusUrl)).toMatchObject({ job_id: jobId, status: 'done' });
  expect(waitForLog(again.output(), jobId, 'job taken up')).toBe(false);
});

test.each([
  ['that exceeds DRAIN_TIMEOUT', hasty, 1, interrupted],
  ['that receives a second signal', interrupted, 2, patient],
] as const)(
  'a process %s hands its jobs back, and the next start completes them',
  async (_name, settings, signals, next) => {
    const service = await start(settings);
    const { jobId, sseStatusUrl, token } = await startJob(service, '/media/amber-30/sound.m4a');
    await expect.poll(() => waitForLog(service.output(), jobId, 'job taken up')).toBe(true);
    const children = await childrenOf(service.process.pid);
    // Unlike `exit`, this event comes after all output.
    const exit = once(service.process, 'close');
    for (let signalCount = 1; signalCount <= signals; signalCount += 1) {
      service.process.kill('SIGTERM');
      // Two signals of the same kind that arrive together count as one.
      await expect
        .poll(() => service.output())
        .toContain(signalCount === 1 ? 'Millrace is stopping' : 'Millrace is stopping immediately');
    }
    expect(await exit).toEqual([0, null]);
    expect(waitForLog(service.output(), jobId, 'job done')).toBe(false);
    await waitForExit(children);

    await openGate(lab, token);
    await start(next);
    expect(await outcome(sseStatusUrl)).toMatchObject({ job_id: jobId, status: 'done' });
  },
);
