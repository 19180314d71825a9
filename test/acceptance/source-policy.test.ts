/** @module-tag long */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Result } from '../support/envelope.ts';
import { extract, type JsonResponse } from '../support/http-client.ts';
import { findRequests } from '../support/lab-client.ts';
import { keys, type RunningProcess, startLab, startService, temporaryFolder } from '../support/processes.ts';

/** Percentage of failures, number of different requests, and seconds, as in the setting BREAKER. */
const BREAKER = '60/4/25';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** The tests' own lab, which receives only their requests. */
let lab: RunningProcess;
let service: RunningProcess;

beforeAll(async () => {
  folder = await temporaryFolder();
  lab = await startLab();
  service = await startService(lab.url, folder.path, { BREAKER, EGRESS_PACE: '20/2' });
});
afterAll(async () => {
  await service.kill();
  await lab.stop();
  await folder.delete();
});

const p5 = (query: string): Promise<JsonResponse<Result>> =>
  extract<Result>(`${service.url}/p5/v3/video/details?${query}`);

const search = (query: string, key = keys.MEGA): Promise<JsonResponse<Result>> =>
  extract<Result>(`${service.url}/p1/v3/search?${new URLSearchParams({ query })}`, key);

/** Returns the requests to the site's player for a video. */
const extractVideo = (videoId: string) =>
  findRequests(lab.url, { host: 'www.dailymotion.com', path: `/player/metadata/video/${videoId}?` });

test('requests to a host are sent at the pace of EGRESS_PACE', async () => {
  const ids = Array.from({ length: 30 }, (_, index) => `xlabpace${index}`);
  const startedAt = Date.now();
  const responses = await Promise.all(ids.map((id) => p5(`videoId=${id}`)));
  for (const { body } of responses) expect(body.error).toBeNull();
  const requests = await findRequests(lab.url, {
    host: 'www.dailymotion.com',
    path: '/player/metadata/video/xlabpace',
  });
  expect(requests).toHaveLength(ids.length);
  const times = requests.map(({ at }) => at);
  // Two requests are sent immediately, and 28 more follow, one every 50 ms. All may arrive late.
  expect(Math.max(...times) - startedAt).toBeGreaterThanOrEqual(1_390);
});

test('a temporary fault is retried, twice in an extraction, and not in each strategy of a platform', async () => {
  const { body } = await p5('videoId=xlabmeta503');
  expect(body.error).toMatchObject({ code: 'non_2xx_response', retryable: true });
  const all = await findRequests(lab.url, {});
  const ways = all.filter(({ path }) => path.includes('xlabmeta503') && path.includes('/video/'));
  expect((await extractVideo('xlabmeta503')).length).toBe(3);
  expect(ways.length).toBe(4);
});

test('429 is not retried', async () => {
  expect((await p5('videoId=xlabmeta429')).body.error?.code).toBe('non_2xx_response');
  expect(await extractVideo('xlabmeta429')).toHaveLength(1);
});

describe('the circuit breaker', () => {
  test('is not opened by one video, however often it is requested and however its link is written', async () => {
    for (let request = 0; request < 6; request += 1) {
      await p5('videoId=xlabmeta429');
      const link = `https://www.dailymotion.com/video/xlabmeta429?n=${request}`;
      expect((await p5(String(new URLSearchParams({ videoId: link })))).body.error?.code).toBe('non_2xx_response');
    }
    expect((await p5('videoId=xlab2')).body.error).toBeNull();
  });

  test('opens for a caller whose requests fail, reports until when, and closes when the platform recovers', async () => {
    let refused: Result['error'] = null;
    for (let request = 1; request < 200 && refused === null; request += 1) {
      const { body } = await search(`lab-http429 ${request}`);
      expect(body.error).toMatchObject({ code: 'non_2xx_response', retryable: true, statusCode: 502 });
      if (body.error?.tryAgainAt !== undefined) refused = body.error;
    }
    expect(refused?.message).toMatch(/p1 .*paused until/);
    const until = Date.parse(refused?.tryAgainAt ?? '');
    expect(until - Date.now()).toBeLessThanOrEqual(25_000);

    expect((await search('windmills')).body.error).toMatchObject({ tryAgainAt: refused?.tryAgainAt });
    const requests = await findRequests(lab.url, { host: 'www.youtube.com' });
    expect(requests.filter(({ body }) => body.includes('windmills'))).toEqual([]);
    expect((await p5('videoId=xlabother')).body.error).toBeNull();
    // Another caller may request what does not fail.
    expect((await search('waterwheels', keys.PRO)).body.error).toBeNull();

    const answered = await eventually(
      () => search('windmills'),
      ({ body }) => body.error === null,
    );
    expect(Date.now()).toBeGreaterThanOrEqual(until);
    expect(answered.body.error).toBeNull();
    expect((await search('lab-http429 again')).body.error).not.toHaveProperty('tryAgainAt');
  });
});

/** Repeats a call until its result is as expected, for five minutes at most. */
async function eventually<Answer>(
  question: () => Promise<Answer>,
  isExpected: (response: Answer) => boolean,
): Promise<Answer> {
  const deadline = Date.now() + 300_000;
  for (;;) {
    const response = await question();
    if (isExpected(response)) return response;
    if (Date.now() > deadline) throw new Error(`Not in five minutes: ${JSON.stringify(response)}`);
  }
}
