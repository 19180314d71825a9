import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../../support/cluster.ts';
import type { Renderable, Result } from '../../support/envelope.ts';
import { extract } from '../../support/http-client.ts';
import { type RunningProcess, startLab, temporaryFolder } from '../../support/processes.ts';
import { renderItem } from '../../support/render-item.ts';

describe.skipIf(process.env.TEST_DATABASE_URL === undefined)('workers (need TEST_DATABASE_URL)', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  /** The tests' own lab, whose links they break. */
  let lab: RunningProcess;
  let cluster: Cluster;

  beforeAll(async () => {
    folder = await temporaryFolder();
    lab = await startLab();
    cluster = await startCluster(lab.url, folder.path, {}, 'postgres');
  });
  afterAll(async () => {
    await cluster.stop();
    await lab.stop();
    await folder.delete();
  });

  /** Returns the render of a video whose links the lab then refuses: all of them, or only the first ones. */
  async function refusedRender(videoId: string, times?: number): Promise<Renderable> {
    const { body } = await extract<Result>(
      `${cluster.url}/p1/v3/video/details?videoId=${videoId}&renderableFormats=144p`,
    );
    const item = body.contents?.[0]?.renderableVideos?.[0];
    if (item === undefined) throw new Error(`${videoId} has nothing to render: ${body.error?.message}`);
    const limit = times === undefined ? '' : `&times=${times}`;
    const { status } = await fetch(`${lab.url}/_lab/media?p1=refused&item=${videoId}${limit}`, { method: 'POST' });
    expect(status).toBe(200);
    return item;
  }

  /** Returns the number of messages about a job in the logs of some processes. */
  function countInLogs(processes: readonly RunningProcess[], jobId: string, message: string): number {
    const lines = processes.flatMap(({ output }) => output().split('\n'));
    return lines.filter((line) => line.includes(jobId) && line.includes(`"${message}"`)).length;
  }

  test('replace the links of their jobs without an API node', async () => {
    const item = await refusedRender('lab-plain30', 1);
    expect(await renderItem(item)).toMatchObject({ status: 'done', error: null });
    const replacements = [cluster.workers, cluster.nodes].map((processes) =>
      countInLogs(processes, item.repId ?? '', 'links replaced'),
    );
    expect(replacements).toEqual([1, 0]);
  });

  test('together replace the links of a job at most four times in a day, however often it is started', async () => {
    const item = await refusedRender('lab-chapter');
    for (let start = 0; start < 6; start += 1) {
      expect(await renderItem(item)).toMatchObject({ status: 'failed', error_code: 'source_refused' });
    }
    const jobId = item.repId ?? '';
    expect(countInLogs(cluster.workers, jobId, 'job taken up')).toBe(6);
    const requests = ['links replaced', 'links could not be replaced'].map((message) =>
      countInLogs(cluster.workers, jobId, message),
    );
    expect(requests.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(4);
    expect(countInLogs(cluster.workers, jobId, 'links were not replaced')).toBeGreaterThan(0);
  });
});
