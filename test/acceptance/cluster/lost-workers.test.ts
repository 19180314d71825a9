import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Cluster, startCluster, waitForLog, workerRunning } from '../../support/cluster.ts';
import { describeJob, outcome, post, type StartedJob } from '../../support/http-client.ts';
import { labFile } from '../../support/lab-client.ts';
import { pidOf, temporaryFolder } from '../../support/processes.ts';
import { storedFiles } from '../../support/stored-files.ts';

/**
 * Maximum milliseconds from a worker's last heartbeat until its job runs elsewhere, including the time to detect that.
 */
const FOUND_WITHIN_MS = 30_000 + 1_000;

describe.skipIf(process.env.TEST_DATABASE_URL === undefined)('lost workers (needs TEST_DATABASE_URL)', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let cluster: Cluster;

  beforeAll(async () => {
    folder = await temporaryFolder();
    // Each worker runs one job at a time, so that two jobs are on two workers.
    cluster = await startCluster(inject('labUrl'), folder.path, { WORKER_CONCURRENCY: '1' }, 'postgres');
  });
  afterAll(async () => {
    await cluster.stop();
    await folder.delete();
  });

  /** Starts a job whose source is slow to respond. */
  async function start(latency: number): Promise<StartedJob> {
    const input = { url: labFile('/media/amber-2/sound.m4a', { latency }).url, ext: 'm4a' };
    const job = describeJob('no_process', [input], 'm4a', { chunkDownload: { concurrency: 1 } });
    return (await post<StartedJob>(`${cluster.url}/api/v1/render/execute`, job)).body;
  }

  async function filesInStore(): Promise<string[]> {
    return (await storedFiles(join(folder.path, 'files'))).map((path) => basename(path));
  }

  test('are detected within 30 s, and a suspended worker publishes nothing when it resumes', async () => {
    const [first, second] = await Promise.all([start(4_000), start(4_000)]);
    const killed = await workerRunning(cluster.workers, first.jobId);
    const stopped = await workerRunning(cluster.workers, second.jobId);
    const others = cluster.workers.filter((worker) => worker !== killed && worker !== stopped);
    expect(others).toHaveLength(1);
    const outcomes = Promise.all([first, second].map(({ sseStatusUrl }) => outcome(sseStatusUrl)));

    process.kill(pidOf(stopped), 'SIGSTOP');
    await killed.kill();
    const lostAt = performance.now();
    const recoveries = [first, second].map(async ({ jobId }) => {
      await workerRunning(others, jobId, 60_000);
      return performance.now() - lostAt;
    });
    // The remaining worker has a single slot: the other job waits until the first one is done.
    expect(Math.min(...(await Promise.all(recoveries)))).toBeLessThan(FOUND_WITHIN_MS);
    const ends = await outcomes;
    expect(ends).toMatchObject([{ status: 'done' }, { status: 'done' }]);

    process.kill(pidOf(stopped), 'SIGCONT');
    await expect.poll(() => waitForLog(stopped.output(), second.jobId, 'job given up')).toBe(true);
    expect(waitForLog(stopped.output(), second.jobId, 'job done')).toBe(false);
    expect(await outcome(second.sseStatusUrl)).toEqual(ends[1]);
    await expect.poll(filesInStore).toEqual(expect.arrayContaining(ends.map(({ output }) => output?.key)));
    await expect.poll(async () => (await filesInStore()).length).toBe(2);
    expect((await fetch(ends[1]?.output?.url ?? '')).status).toBe(200);

    // The resumed worker claims jobs again, because the other worker cannot run both.
    const more = await Promise.all([start(2_000), start(2_000)]);
    for (const { sseStatusUrl } of more) expect(await outcome(sseStatusUrl)).toMatchObject({ status: 'done' });
    await expect.poll(() => more.filter(({ jobId }) => waitForLog(stopped.output(), jobId, 'job done')).length).toBe(1);
  });
});
