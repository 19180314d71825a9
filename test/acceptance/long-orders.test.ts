/** @module-tag long */

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Result } from '../support/envelope.ts';
import { freePort } from '../support/free-port.ts';
import { extract, fetchJson, outcome, post, type StartedJob } from '../support/http-client.ts';
import { inspect } from '../support/media.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { stack } from '../support/storage-stack.ts';

const HOUR_MS = 3_600_000;
/** Maximum length of an execution URL in characters. */
const MAX_URL_LENGTH = 7_500;

/** Returns the first render config of a video of p5, whose links are too long for a URL if it is `xlablong`. */
async function renderConfig(service: string, videoId: string) {
  const { status, body, headers } = await extract<Result>(
    `${service}/p5/v3/video/details?videoId=${videoId}&renderableFormats=lowres`,
  );
  expect([status, body.error, headers.get('cache-control')]).toEqual([200, null, 'private, no-store']);
  const [item] = body.contents?.[0]?.renderableVideos ?? [];
  expect(item).toMatchObject({ renderConfig: { executionUrl: expect.any(String) } });
  const { executionUrl = '', sseStatusUrl = '' } = item?.renderConfig ?? {};
  const link = body.contents?.[0]?.videos?.[0]?.url ?? '';
  return { executionUrl, sseStatusUrl, jobId: item?.repId ?? '', link };
}

describe('a render of links that are too long for a URL', () => {
  const service = inject('serviceUrl');
  const longConfig = () => renderConfig(service, 'xlablong');

  test('has a short execution URL, which renders its file', async () => {
    const { executionUrl, sseStatusUrl, jobId, link } = await longConfig();
    expect(link.length).toBeGreaterThan(MAX_URL_LENGTH);
    expect(executionUrl.length).toBeLessThan(500);
    const started = await fetchJson<StartedJob>(executionUrl);
    expect([started.status, started.body.jobId]).toEqual([202, jobId]);
    const { status, output } = await outcome(sseStatusUrl);
    expect(status).toBe('done');
    const file = Buffer.from(await (await fetch(output?.url ?? '')).arrayBuffer());
    expect((await inspect(file)).tracks).toMatchObject([{ kind: 'video' }, { kind: 'audio' }]);
    expect((await fetchJson<StartedJob>(executionUrl)).body.status).toBe('already_exists');
  });

  test('can be previewed and requested with HEAD, which starts nothing', async () => {
    const { executionUrl, sseStatusUrl, jobId } = await longConfig();
    const preview = await fetchJson<{ jobId: string; problems: unknown[] }>(`${executionUrl}&plan=only`);
    expect([preview.status, preview.body.jobId, preview.body.problems]).toEqual([200, jobId, []]);
    expect((await fetch(executionUrl, { method: 'HEAD' })).status).toBe(200);
    expect(await outcome(sseStatusUrl)).toMatchObject({ status: 'not_found' });
  });

  test('can be started by a batch and cancelled by its URL', async () => {
    const { executionUrl, jobId } = await longConfig();
    const { body } = await post<{ results: { statusCode: number; body: { jobId?: string } }[] }>(
      `${service}/api/v1/render/batch`,
      { jobs: [{ executionUrl }, { executionUrl }] },
    );
    expect(body.results.map(({ statusCode, body }) => [statusCode, body.jobId])).toEqual([
      [202, jobId],
      [200, jobId],
    ]);
    const cancelled = await fetchJson<{ jobId: string }>(executionUrl, { method: 'DELETE' });
    expect([cancelled.status, cancelled.body.jobId]).toEqual([200, jobId]);
  });

  test('has another execution URL in each response, also if the result is cached', async () => {
    const [one, two] = [await longConfig(), await longConfig()];
    expect(one.jobId).not.toBe(two.jobId);
    expect((await fetchJson<StartedJob>(two.executionUrl)).body.jobId).toBe(two.jobId);
  });
});

// A database server does not have the service's clock.
describe.runIf(stack === 'embedded')('an execution URL', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let port: string;
  let running: RunningProcess;
  const now = Date.now();
  const restartAt = async (startingAt: number) => {
    await running.stop();
    running = await startService(inject('labUrl'), folder.path, { PORT: port }, { startingAt });
  };

  beforeAll(async () => {
    folder = await temporaryFolder();
    port = String(await freePort());
    running = await startService(inject('labUrl'), folder.path, { PORT: port }, { startingAt: now });
  });
  afterAll(async () => {
    await running.kill();
    await folder.delete();
  });

  test('is valid for 24 h, whether or not its order fits into it', async () => {
    const configs = [];
    for (const id of ['xlab2', 'xlablong', 'xlab2', 'xlablong']) configs.push(await renderConfig(running.url, id));
    await restartAt(now + 23 * HOUR_MS);
    for (const { executionUrl, sseStatusUrl } of configs.slice(0, 2)) {
      expect((await fetchJson<StartedJob>(executionUrl)).status).toBe(202);
      expect(await outcome(sseStatusUrl)).toMatchObject({ status: 'done' });
    }
    await restartAt(now + 24.1 * HOUR_MS);
    // Plan MEGA keeps files for two hours, so the jobs still exist.
    for (const { executionUrl } of configs.slice(0, 2)) {
      const { status, body } = await fetchJson<StartedJob>(executionUrl);
      expect([status, body.status]).toEqual([200, 'already_exists']);
    }
    for (const { executionUrl } of configs.slice(2)) {
      const { status, body } = await fetchJson<{ error: { code: string } }>(executionUrl);
      expect([status, body.error.code]).toEqual([410, 'token_expired']);
    }
  });
});
