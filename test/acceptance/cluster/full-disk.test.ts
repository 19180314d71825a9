import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { startCluster, waitForLog } from '../../support/cluster.ts';
import { describeJob, outcome, post, type StartedJob } from '../../support/http-client.ts';
import { labFile } from '../../support/lab-client.ts';
import { temporaryFolder } from '../../support/processes.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';

const JOBS = 40;

/** Runs a function with a small disk mounted as a worker's data directory. Skips the test if it cannot be mounted. */
async function withSmallDisk(
  skip: (condition: boolean, note: string) => void,
  settings: Record<string, string>,
  work: (world: {
    cluster: Awaited<ReturnType<typeof startCluster>>;
    disk: Awaited<ReturnType<typeof mountSmallDisk>>;
  }) => Promise<void>,
): Promise<void> {
  const folder = await temporaryFolder();
  const disk = await mountSmallDisk(join(folder.path, 'worker-2'));
  try {
    skip(!disk.real, 'a small disk can be mounted by root only');
    const cluster = await startCluster(inject('labUrl'), folder.path, settings, 'postgres');
    try {
      await work({ cluster, disk });
    } finally {
      await cluster.stop();
    }
  } finally {
    await disk.remove();
    await folder.delete();
  }
}

async function startJobs(url: string): Promise<StartedJob[]> {
  const starts = Array.from({ length: JOBS }, async () => {
    const input = { url: labFile('/media/amber-30/sound.m4a').url, ext: 'm4a' };
    return (await post<StartedJob>(`${url}/api/v1/render/execute`, describeJob('no_process', [input], 'm4a'))).body;
  });
  return await Promise.all(starts);
}

const outcomes = async (jobs: readonly StartedJob[]) =>
  await Promise.all(jobs.map(async ({ sseStatusUrl }) => (await outcome(sseStatusUrl)).status));
const allDone = Array.from({ length: JOBS }, () => 'done');
const healthOf = async ({ url }: { url: string }) => (await fetch(`${url}/health`)).status;

describe.skipIf(process.env.TEST_DATABASE_URL === undefined)(
  'a worker with a full disk (needs TEST_DATABASE_URL)',
  () => {
    test('fails no job, hands back the jobs it has begun, pauses, and resumes when there is space', async ({
      skip,
    }) => {
      // No reserve: the worker notices when a job runs out of space.
      await withSmallDisk(skip, { WORKER_CONCURRENCY: '1', WORKER_DISK_RESERVE: '0' }, async ({ cluster, disk }) => {
        const full = cluster.workers[2];
        if (full === undefined) throw new Error('the cluster has too few workers');
        await disk.fill();
        const jobs = await startJobs(cluster.url);
        expect(await outcomes(jobs)).toEqual(allDone);
        const handedBack = jobs.filter(({ jobId }) => waitForLog(full.output(), jobId, 'job handed back'));
        expect(handedBack.length).toBeGreaterThan(0);
        expect(jobs.filter(({ jobId }) => waitForLog(full.output(), jobId, 'job done'))).toEqual([]);
        expect(await healthOf(full)).toBe(503);
        expect(
          full
            .output()
            .split('\n')
            .filter((line) => line.includes('the worker pauses')),
        ).toHaveLength(1);

        await disk.free();
        await expect.poll(() => healthOf(full), { timeout: 240_000 }).toBe(200);
        const more = await startJobs(cluster.url);
        expect(await outcomes(more)).toEqual(allDone);
        expect(more.some(({ jobId }) => waitForLog(full.output(), jobId, 'job done'))).toBe(true);
      });
    });

    test('claims no job while less space is free than its reserve', async ({ skip }) => {
      await withSmallDisk(skip, { WORKER_CONCURRENCY: '1' }, async ({ cluster, disk }) => {
        const full = cluster.workers[2];
        if (full === undefined) throw new Error('the cluster has too few workers');
        await disk.fill();
        await expect.poll(() => healthOf(full)).toBe(503);
        expect(await outcomes(await startJobs(cluster.url))).toEqual(allDone);
        expect(full.output()).not.toContain('job taken up');
        await disk.free();
        await expect.poll(() => healthOf(full)).toBe(200);
      });
    });
  },
);
