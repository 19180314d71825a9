/** @module-tag long */

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { items, media } from '../support/documented-test-items.ts';
import type { Result } from '../support/envelope.ts';
import { describeJob, extract, outcome, post, type StartedJob } from '../support/http-client.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { renderItem } from '../support/render-item.ts';

/** Renders of it take two minutes: media that never arrives is tested with a shorter timeout below. */
const slow = 'lab-all-not';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningProcess;
// A separate service, because failing media changes which links of p1 a service prefers.
beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startService(inject('labUrl'), folder.path);
});
afterAll(async () => {
  await service.kill();
  await folder.delete();
});

test('the page of the test items lists items of every platform, and media', () => {
  for (const platform of ['p1', 'p2', 'p3', 'p4', 'p5', 'p6']) {
    const own = items.filter(({ request }) => request.startsWith(`/${platform}/`));
    expect(new Set(own.map(({ code }) => code)).size, platform).toBeGreaterThan(5);
  }
  expect(media.length).toBeGreaterThan(10);
});

describe.concurrent('a documented item', () => {
  test.each(items.map((item) => [item.request, item] as const))('%s has its outcome', async (request, item) => {
    const { status, body } = await extract<Result>(service.url + request);
    expect([status, body.error?.code ?? null]).toEqual([200, item.code]);
  });
});

describe.concurrent('a render of a documented item', () => {
  const failing = items.filter(({ request, renderCode }) => renderCode !== null && !request.includes(slow));
  test.each(failing.map((item) => [item.request, item.renderCode]))('%s fails with %s', async (request, code) => {
    const { body } = await extract<Result>(`${service.url}${request}&renderableFormats=lowres`);
    const [item] = body.contents?.[0]?.renderableVideos ?? [];
    expect(await renderItem(item)).toMatchObject({ status: 'failed', error_code: code });
  });
});

describe.concurrent('a direct job with documented media', () => {
  test.each(media)('$url ends with "$code"', async ({ url, ext, code }) => {
    const input = { url, ext, ...(code === 'download_timeout' ? { timeout: 1_000 } : {}) };
    const { body } = await post<StartedJob>(
      `${service.url}/api/v1/render/execute`,
      describeJob('convert_format', [input], ext === 'm4a' ? 'm4a' : 'mp4'),
    );
    const { status, error_code } = await outcome(body.sseStatusUrl);
    expect([status, error_code]).toEqual(code === 'succeeds' ? ['done', null] : ['failed', code]);
  });
});
