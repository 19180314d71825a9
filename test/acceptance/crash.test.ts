/** @module-tag long */

import { existsSync, readdirSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { childrenOf, waitForExit } from '../support/child-processes.ts';
import { freePort } from '../support/free-port.ts';
import { describeJob, follow, outcome, post, type StartedJob } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { stack, storedFiles } from '../support/storage-stack.ts';

const lab = inject('labUrl');
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let port: string;
/** The service that the next test kills. */
let service: RunningProcess;

beforeAll(async () => {
  folder = await temporaryFolder();
  port = String(await freePort());
  service = await start();
});
afterAll(async () => {
  await service.kill();
  await folder.delete();
});

const start = () => startService(lab, folder.path, { PORT: port });

/** Jobs that stay in a stage long enough to be killed in it. */
const slow: Record<string, () => Record<string, unknown>> = {
  downloading_inputs: () =>
    describeJob(
      'convert_format',
      [{ url: labFile('/media/amber-30/movie-360.mp4', { throttle: 150_000 }).url, ext: 'mp4' }],
      'mp4',
      {
        chunkDownload: { concurrency: 1 },
      },
    ),
  // Events arrive once a second, and a fast machine encodes 12 seconds of video within one.
  processing: () => ({
    ...describeJob('convert_format', [{ url: labFile('/media/amber-30/movie-720.mp4').url, ext: 'mp4' }], 'mp4'),
    operation: { type: 'convert_format', copyStreams: false },
  }),
};

/** A job, the address of its events, and its events until the kill. */
interface Interrupted {
  readonly job: unknown;
  readonly events: string;
  readonly following: Promise<unknown>;
}

/** Starts jobs until one is met in a stage. On a busy machine, a job may pass it between two events. */
async function startAndMeet(stage: string): Promise<Interrupted> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const met = await startAndWait(stage);
    if (met !== undefined) return met;
  }
  throw new Error(`no job was met while it was ${stage}`);
}

/** Starts a job, and waits until it is in a stage; undefined if it ends without an event of the stage. */
async function startAndWait(stage: string): Promise<Interrupted | undefined> {
  const job = slow[stage]?.() ?? {};
  const { body } = await post<StartedJob>(`${service.url}/api/v1/render/execute`, job);
  const reached = Promise.withResolvers<boolean>();
  const following = follow(body.sseStatusUrl, ({ status, progress }) => {
    if (status === stage && (stage !== 'downloading_inputs' || progress > 0)) reached.resolve(true);
  }).catch(() => undefined);
  const isMet = await Promise.race([reached.promise, following.then(() => false)]);
  return isMet ? { job, events: body.sseStatusUrl, following } : undefined;
}

describe('after kill -9 of the whole service and a restart', () => {
  const stages = Object.keys(slow);
  /** One kill interrupts the jobs of all stages. */
  const interrupted = new Map<string, Interrupted>();

  beforeAll(async () => {
    // The first stage lasts longer than it takes to reach the second.
    for (const stage of stages) interrupted.set(stage, await startAndMeet(stage));
    const children = await childrenOf(service.process.pid);
    await service.kill();
    for (const { following } of interrupted.values()) await following;
    await waitForExit(children);
    service = await start();
  });

  test.each(stages)('a job that was in %s ends as done', async (stage) => {
    const { job, events = '' } = interrupted.get(stage) ?? {};
    const last = await outcome(events);
    expect(last).toMatchObject({ status: 'done', error: null });
    expect((await fetch(last.output?.url ?? '')).status).toBe(200);
    await expect.poll(() => readdir(join(folder.path, 'work'))).toEqual([]);
    expect((await post<StartedJob>(`${service.url}/api/v1/render/execute`, job)).status).toBe(200);
  });

  /** Another file system: results cannot be moved there, so they are copied. */
  const elsewhere = ['/dev/shm', '/var/tmp'].find(
    (path) => existsSync(path) && statSync(path).dev !== statSync(tmpdir()).dev,
  );

  /**
   * Kills a service while it stores the result of a job in a folder. The next start completes the job.
   *
   * @returns how many of the bytes of the file were in the store when the service was killed, and how many it has.
   */
  async function killWhileStoring(parent: string): Promise<{ readonly stored: number; readonly all: number }> {
    const store = await temporaryFolder(parent);
    const ownPort = String(await freePort());
    // A store belongs to one database.
    const data = await temporaryFolder();
    const startHere = () => startService(lab, data.path, { STORAGE_URL: `file:${store.path}`, PORT: ownPort });
    try {
      const storing = await startHere();
      // 10 MB, which take a while to reach the disk.
      const input = { url: labFile('/media/giant-20/video-1080.mp4').url, ext: 'mp4' };
      const job = describeJob('no_process', [input], 'mp4');
      const { body } = await post<StartedJob>(`${storing.url}/api/v1/render/execute`, job);
      await untilSomethingIn(store.path);
      await storing.kill();
      const [stored = 0] = filesBelow(store.path);

      const again = await startHere();
      try {
        const last = await outcome(body.sseStatusUrl);
        expect(last).toMatchObject({ status: 'done', error: null });
        const file = await (await fetch(last.output?.url ?? '')).arrayBuffer();
        expect(file.byteLength).toBe(last.output?.size);
        await expect.poll(() => readdir(join(data.path, 'work'))).toEqual([]);
        await expect.poll(() => filesBelow(store.path)).toEqual([file.byteLength]);
        return { stored, all: file.byteLength };
      } finally {
        await again.kill();
      }
    } finally {
      await store.delete();
      await data.delete();
    }
  }

  test('a job whose result was being moved within a file system ends as done', async () => {
    await killWhileStoring(tmpdir());
  });

  test('a job whose result was being copied to another file system ends as done', async ({ skip }) => {
    if (elsewhere === undefined) return skip('there is no other file system');
    let hasHitPart = false;
    // The whole file may be there before the service is killed.
    for (let tries = 0; tries < 10 && !hasHitPart; tries += 1) {
      const { stored, all } = await killWhileStoring(elsewhere);
      hasHitPart = stored < all;
    }
    expect(hasHitPart).toBe(true);
  });

  test('jobs that are killed at any moment end as done, and nothing is left over', async () => {
    const jobs = Array.from({ length: 12 }, () =>
      describeJob('convert_format', [{ url: labFile('/media/amber-30/movie-360.mp4').url, ext: 'mp4' }], 'mp4'),
    );
    // Each round starts three more jobs and kills the service at a different moment. A job that is interrupted by five
    // kills may fail.
    for (let round = 0; round < jobs.length / 3; round += 1) {
      const some = jobs.slice(round * 3, round * 3 + 3);
      const [first] = await Promise.all(
        some.map((job) => post<StartedJob>(`${service.url}/api/v1/render/execute`, job)),
      );
      const deadline = performance.now() + round * 60;
      while (performance.now() < deadline) await fetch(`${service.url}/health`);
      expect(first?.status).toBe(202);
      await service.kill();
      service = await start();
    }
    const keys: string[] = [];
    for (const { id } of jobs) {
      const last = await outcome(`${service.url}/api/v1/render/status/sse/${id}`);
      expect(last).toMatchObject({ status: 'done', error: null });
      keys.push(last.output?.key ?? '');
    }
    await expect.poll(() => readdir(join(folder.path, 'work'))).toEqual([]);
    await expect
      .poll(async () => (await storedFiles(folder.path)).length, { interval: 500 })
      .toBeLessThanOrEqual(keys.length + Object.keys(slow).length);
  });
});

test('a second service with its own database in the same folder is refused with a clear message', async () => {
  const own = await temporaryFolder();
  const embedded = { DATABASE_URL: '', STORAGE_URL: '' };
  const running = stack === 'embedded' ? undefined : await startService(lab, own.path, embedded);
  const used = running === undefined ? folder : own;
  try {
    await expect(startService(lab, used.path, embedded)).rejects.toThrow(/Another Millrace process uses/);
  } finally {
    await running?.kill();
    await own.delete();
  }
});

/** Returns the sizes of all files below a folder. */
function filesBelow(path: string): number[] {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter(
    // The marker file of the store belongs to no job.
    (entry) => entry.isFile() && !entry.name.startsWith('store.json'),
  );
  return entries.flatMap(
    ({ parentPath, name }) => statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? [],
  );
}

/** Waits until a folder contains a non-empty file. */
async function untilSomethingIn(path: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!filesBelow(path).some((size) => size > 0)) {
    if (performance.now() > deadline) throw new Error('nothing was stored');
    await setImmediate();
  }
}
