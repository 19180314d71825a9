import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { WebSocket } from 'ws';
import { childrenOf, waitForExit } from '../support/child-processes.ts';
import { waitForLog } from '../support/cluster.ts';
import { freePort } from '../support/free-port.ts';
import { describeJob, outcome, post, render, type StartedJob } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';

const lab = inject('labUrl');
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let port: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  port = String(await freePort());
});
afterEach(() => folder.delete());

const start = (settings: Record<string, string>) => startService(lab, folder.path, { PORT: port, ...settings });

/** Starts a job that stores a file unchanged. */
async function startJob(service: RunningProcess, path: string, faults: Record<string, number>): Promise<StartedJob> {
  const job = describeJob('no_process', [{ url: labFile(path, faults).url, ext: 'm4a' }], 'm4a', {
    chunkDownload: { concurrency: 1 },
  });
  return (await post<StartedJob>(`${service.url}/api/v1/render/execute`, job)).body;
}

/** Opens a URL over its own connection without reading the body. */
async function open(url: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(url, { agent: false }, resolve).on('error', reject);
  return promise;
}

test('a process that is stopped lets jobs and downloads end, and disconnects subscribers', {
  timeout: 180_000,
}, async () => {
  const service = await start({ DRAIN_TIMEOUT: '40', DRAIN_DELAY: '2' });
  const large = describeJob('no_process', [{ url: labFile('/media/giant-20/video-1080.mp4').url, ext: 'mp4' }], 'mp4');
  const { event } = await render(service.url, large);
  const download = await open(event.output?.url ?? '');

  const { jobId, statusUrl, sseStatusUrl } = await startJob(service, '/media/amber-2/sound.m4a', { latency: 5_000 });
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
  await expect(fetch(`${service.url}/health`)).rejects.toThrow();
  expect((await buffer(download)).length).toBe(event.output?.size);
  expect(await exit).toEqual([0, null]);
  expect(waitForLog(service.output(), jobId, 'job done')).toBe(true);

  const again = await start({});
  try {
    expect(await outcome(sseStatusUrl)).toMatchObject({ job_id: jobId, status: 'done' });
    expect(waitForLog(again.output(), jobId, 'job taken up')).toBe(false);
  } finally {
    await again.kill();
  }
});

test.each([
  ['that exceeds DRAIN_TIMEOUT', { DRAIN_TIMEOUT: '1' }, 1],
  ['that receives a second signal', { DRAIN_TIMEOUT: '60' }, 2],
] as const)(
  'a process %s hands its jobs back, and the next start completes them',
  { timeout: 180_000 },
  async (_name, settings, signals) => {
    const service = await start(settings);
    const { jobId, sseStatusUrl } = await startJob(service, '/media/amber-30/sound.m4a', { latency: 8_000 });
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

    const again = await start({});
    try {
      expect(await outcome(sseStatusUrl)).toMatchObject({ job_id: jobId, status: 'done' });
    } finally {
      await again.kill();
    }
  },
);
