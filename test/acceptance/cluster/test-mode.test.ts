import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type AdminKey, type ServiceWithAdmin, startServiceWithAdmin } from '../../support/admin.ts';
import { waitForLog } from '../../support/cluster.ts';
import type { Result } from '../../support/envelope.ts';
import { describeJob, extract, fetchJson, outcome, run, type StartedJob } from '../../support/http-client.ts';
import { labFile } from '../../support/lab-client.ts';
import { type RunningProcess, startService, temporaryFolder } from '../../support/processes.ts';
import { bytesOf } from '../../support/render-item.ts';
import { stackSettings } from '../../support/storage-stack.ts';

const isSkipped = process.env.TEST_DATABASE_URL === undefined;

describe.skipIf(isSkipped)('test keys of several nodes (need TEST_DATABASE_URL)', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  /** An API node with the lab, and a node of all roles without it. */
  let api: ServiceWithAdmin;
  let withoutLab: RunningProcess;
  const started: RunningProcess[] = [];

  beforeAll(async () => {
    folder = await temporaryFolder();
    api = await startServiceWithAdmin(inject('labUrl'), folder.path, {}, await nodeSettings('api', 'on', 'api,render'));
    started.push(api.service);
    withoutLab = await startNode('without-lab', 'off');
  });
  afterAll(async () => {
    await Promise.all(started.map((node) => node.kill()));
    await folder.delete();
  });

  async function nodeSettings(name: string, LAB: 'on' | 'off', ROLES = 'api,render,worker') {
    return {
      ...(await stackSettings(folder.path, 'postgres')),
      STORAGE_URL: `file:${join(folder.path, 'files')}`,
      DATA_DIR: join(folder.path, name),
      ROLES,
      LAB,
    };
  }

  async function startNode(name: string, LAB: 'on' | 'off'): Promise<RunningProcess> {
    const node = await startService(inject('labUrl'), folder.path, await nodeSettings(name, LAB));
    started.push(node);
    return node;
  }

  test('work on all nodes with the lab, and their jobs wait for workers with it', async () => {
    const { body: extraction } = await api.admin<AdminKey & { key: string }>('POST', '/admin/keys', {
      plan: 'MEGA',
      kind: 'extraction',
      test: true,
    });
    const path = '/p1/v3/video/details?videoId=lab-min-002&renderableFormats=lowres';
    // While the lab generates its first media on a busy machine, an extraction can reach its time limit.
    const executionUrl = await vi.waitFor(async () => {
      const { body } = await extract<Result>(api.service.url + path, extraction.key);
      expect(body.error).toBeNull();
      return body.contents?.[0]?.renderableVideos?.[0]?.renderConfig?.executionUrl ?? '';
    }, 540_000);
    /** Returns the execution URL with the address of another node. */
    const at = (node: RunningProcess) => executionUrl.replace(api.service.url, node.url);

    for (const refused of [
      await extract<Result>(withoutLab.url + path, extraction.key),
      await fetchJson<Result>(at(withoutLab)),
    ]) {
      expect([refused.status, refused.body.error?.code]).toEqual([503, 'service_unavailable']);
    }
    const waiting = await fetchJson<StartedJob>(executionUrl);
    expect(waiting.status).toBe(202);
    // The worker without the lab takes a later live job instead.
    const media = labFile('/media/amber-2/movie-360.mp4').url;
    const live = describeJob('no_process', [{ url: media, ext: 'mp4' }], 'mp4');
    expect(await run(withoutLab.url, live)).toMatchObject({ status: 'done' });
    expect(waitForLog(withoutLab.output(), waiting.body.jobId, 'job taken up')).toBe(false);

    const withLab = await startNode('with-lab', 'on');
    const event = await outcome(waiting.body.sseStatusUrl);
    expect(event).toMatchObject({ status: 'done', test: true });
    expect((await bytesOf(event.output?.url)).length).toBe(event.output?.size);
    expect(waitForLog(withLab.output(), waiting.body.jobId, 'job taken up')).toBe(true);
    const again = await fetchJson<StartedJob>(at(withLab));
    expect([again.status, again.body.jobId]).toEqual([200, waiting.body.jobId]);
  });
});
