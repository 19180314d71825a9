/** @module-tag long */

import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { describeJob, follow, outcome, post, type StartedJob, type StatusEvent } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { startService, temporaryFolder } from '../support/processes.ts';

const lab = inject('labUrl');
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let port: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  port = String(await freePort());
});
afterAll(() => folder.delete());

const start = () => startService(lab, folder.path, { PORT: port, WORKER_CONCURRENCY: '8' });

const jobWith = (fault: Record<string, number>) => {
  const input = { url: labFile('/media/amber-2/sound.m4a', fault).url, ext: 'm4a' };
  return describeJob('no_process', [input], 'm4a', { chunkDownload: { concurrency: 1 } });
};

/** Waits until a job runs, or has ended. */
async function waitUntilTaken(sseUrl: string): Promise<StatusEvent> {
  const taken = Promise.withResolvers<StatusEvent>();
  follow(sseUrl, (event) => {
    if (['downloading_inputs', 'done', 'failed'].includes(event.status)) taken.resolve(event);
  }).catch((error: unknown) => taken.reject(error));
  return taken.promise;
}

test('a service that crashes whenever it runs one job fails that job, and completes those that ran beside it', {
  timeout: 600_000,
}, async () => {
  let service = await start();
  // Each takes so long that it still runs when the service is killed.
  const jobs = [...Array.from({ length: 4 }, () => jobWith({ latency: 2_500 })), jobWith({ hang: 1 })];
  const urls = await Promise.all(
    jobs.map(async (job) => (await post<StartedJob>(`${service.url}/api/v1/render/execute`, job)).body.sseStatusUrl),
  );
  const killer = urls.pop() ?? '';
  try {
    let kills = 0;
    while ((await waitUntilTaken(killer)).status !== 'failed') {
      await service.kill();
      kills += 1;
      service = await start();
    }
    expect(kills).toBe(5);
    expect(await outcome(killer)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('failed 3 times'),
      error_code: 'worker_lost',
      retryable: true,
      input: null,
    });
    for (const url of urls) expect(await outcome(url)).toMatchObject({ status: 'done' });
  } finally {
    await service.kill();
  }
});
