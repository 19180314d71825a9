import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Cluster, startCluster, waitForLog, workerRunning } from '../../support/cluster.ts';
import { describeJob, fetchJson, outcome, post, type StartedJob, type StatusEvent } from '../../support/http-client.ts';
import { labFile } from '../../support/lab-client.ts';
import { keys, pidOf, temporaryFolder } from '../../support/processes.ts';
import { storedFiles } from '../../support/stored-files.ts';

const TTL_MS = 180_000;
/** Maximum milliseconds until a response: less than a slow job runs, and enough for a busy machine. */
const ANSWER_MS = 30_000;

interface Cancelled {
  readonly status: string;
  readonly job: StatusEvent;
}

describe.skipIf(process.env.TEST_DATABASE_URL === undefined)(
  'cancelling in a cluster (needs TEST_DATABASE_URL)',
  () => {
    let folder: Awaited<ReturnType<typeof temporaryFolder>>;
    let cluster: Cluster;

    beforeAll(async () => {
      folder = await temporaryFolder();
      cluster = await startCluster(inject('labUrl'), folder.path, { DRAIN_TIMEOUT: '1' }, 'postgres');
    });
    afterAll(async () => {
      await cluster.stop();
      await folder.delete();
    });

    const slowJob = () => {
      const { url } = labFile('/media/amber-30/movie-360.mp4', { throttle: 20_000 });
      return describeJob('convert_format', [{ url, ext: 'mp4' }], 'mp4', {
        chunkDownload: { concurrency: 1 },
        ttl: TTL_MS,
      });
    };

    async function start(node: string | undefined, job: unknown): Promise<StartedJob> {
      return (await post<StartedJob>(`${node}/api/v1/render/execute`, job)).body;
    }

    async function cancel(node: string | undefined, jobId: string): Promise<Cancelled> {
      const headers = { authorization: `Bearer ${keys.render}` };
      return (await fetchJson<Cancelled>(`${node}/api/v1/render/jobs/${jobId}`, { method: 'DELETE', headers })).body;
    }

    /** Returns the entries of the work folders of all workers and of the store. */
    async function listLeftovers(): Promise<string[]> {
      const folders = [...cluster.workers.keys()].map((index) => join(folder.path, `worker-${index}`, 'work'));
      const runs = await Promise.all(folders.map((path) => readdir(path).catch(() => [])));
      const stored = await storedFiles(join(folder.path, 'files'));
      return [...runs.flat(), ...stored.map((path) => basename(path))];
    }

    test('ends a job that another node started, at the worker that runs it', async () => {
      const [starts, cancels] = cluster.nodes;
      const { jobId, sseStatusUrl } = await start(starts?.url, slowJob());
      const worker = await workerRunning(cluster.workers, jobId);
      const last = outcome(sseStatusUrl);
      const startedAt = performance.now();
      const { status, job } = await cancel(cancels?.url, jobId);
      expect(performance.now() - startedAt).toBeLessThan(ANSWER_MS);
      expect([status, job.error]).toEqual(['cancelled', 'Cancelled by its owner']);
      expect(await last).toEqual(job);
      await expect.poll(() => waitForLog(worker.output(), jobId, 'job given up')).toBe(true);
      await expect.poll(listLeftovers).toEqual([]);
      // When the job is cancelled again, either node returns the same response.
      expect(await cancel(starts?.url, jobId)).toMatchObject({ status, job });
    });

    test('ends the job of a suspended worker, which notices when it resumes', async () => {
      const { jobId, sseStatusUrl } = await start(cluster.url, slowJob());
      const worker = await workerRunning(cluster.workers, jobId);
      process.kill(pidOf(worker), 'SIGSTOP');
      try {
        const startedAt = performance.now();
        expect((await cancel(cluster.url, jobId)).status).toBe('cancelled');
        expect(performance.now() - startedAt).toBeLessThan(ANSWER_MS);
        expect((await outcome(sseStatusUrl)).error).toBe('Cancelled by its owner');
      } finally {
        process.kill(pidOf(worker), 'SIGCONT');
      }
      await expect.poll(() => waitForLog(worker.output(), jobId, 'job given up')).toBe(true);
      await expect.poll(listLeftovers).toEqual([]);
    });

    test('ends each job exactly once when all nodes cancel it concurrently while jobs end at workers', async () => {
      const quickJob = () =>
        describeJob('no_process', [{ url: labFile('/media/amber-2/sound.m4a').url, ext: 'm4a' }], 'm4a', {
          ttl: TTL_MS,
        });
      const files: string[] = [];
      for (let round = 0; round < 12; round += 1) {
        const { jobId, sseStatusUrl } = await start(cluster.url, quickJob());
        const deadline = performance.now() + round * 20;
        while (performance.now() < deadline) await fetch(`${cluster.url}/health/live`);
        const responses = await Promise.all(cluster.nodes.map(({ url }) => cancel(url, jobId)));
        const last = await outcome(sseStatusUrl);
        expect(responses.map(({ job }) => job)).toEqual([last, last]);
        const expected = last.status === 'done' ? 'already_finished' : 'cancelled';
        expect(responses.map(({ status }) => status)).toEqual([expected, expected]);
        if (last.output !== null) files.push(last.output.key);
      }
      await expect.poll(async () => (await listLeftovers()).toSorted()).toEqual(files.toSorted());
    });
  },
);
