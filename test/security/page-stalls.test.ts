import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { firstRows } from '../support/first-rows.ts';
import { type HostileSite, hostileResponses, startHostileSite } from '../support/hostile-site.ts';
import { extract } from '../support/http-client.ts';
import { labProbes } from '../support/lab-probes.ts';
import { canMeasureStalls, MAX_STALL_MS, measureStall } from '../support/loop-stall.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { type StretchingSite, startStretchingSite } from '../support/stretching-site.ts';

const endpoints = [
  '/p1/v3/search?query=a',
  '/p1/v3/video/details?videoId=dQw4w9WgXcQ',
  `/p3/v3/post/details?url=${encodeURIComponent('https://www.facebook.com/reel/770000000000001')}`,
  `/p4/v3/post/details?url=${encodeURIComponent('https://www.tiktok.com/@a/video/7000000000000000001')}`,
  '/p2/v3/media/post/details?shortcode=DXYZabcde12',
  '/p2/v3/user/profile/details?username=thelab',
  '/p5/v3/video/details?videoId=x8abcde',
  '/p6/v3/pin/details?pinId=123456789012345678',
];

const closers: (() => Promise<void>)[] = [];
let site: HostileSite;
let service: RunningProcess;

beforeAll(async () => {
  const folder = await temporaryFolder();
  closers.push(folder.delete);
  site = await startHostileSite();
  closers.push(site.close);
  service = await startService(site.url, folder.path, { ANSWER_CACHE: '0', USE_HEALTH: 'off' });
  closers.push(service.stop);
  // Code that the first requests load and compile is not part of the cost of a hostile response.
  site.send('escapes');
  await readFromAll();
});
afterAll(async () => {
  for (const stop of closers.reverse()) await stop();
});

/** Sends the requests. None can succeed. */
async function readFromAll(): Promise<void> {
  for (const endpoint of endpoints) {
    const { body } = await extract<{ error: { code: string } | null }>(`${service.url}${endpoint}`);
    expect(body.error?.code, endpoint).not.toBe('unexpected_error');
    expect(body.error, endpoint).toBeTruthy();
    expect(site.takeRequests(), endpoint).toBeGreaterThan(0);
  }
}

describe.skipIf(!canMeasureStalls)('other requests are not delayed (needs /proc) by a site that sends', () => {
  for (const { rows, options } of firstRows(2, Object.keys(hostileResponses))) {
    test.each(rows)('%s', options, async (name) => {
      site.send(name);
      const stall = await measureStall(service, readFromAll);
      if (process.env.SHOW !== undefined) process.stdout.write(`${name}: ${stall.processor.toFixed(0)} ms\n`);
      expect(stall.failures).toEqual([]);
      expect(stall.processor).toBeLessThanOrEqual(MAX_STALL_MS);
    });
  }
});

/** What the queries of links repeat, and how often each link in a list occurs. */
const longQueries = [
  ['a&', 0],
  ['a&', 10],
  ['a&', 1000],
  ['%6f&oe&', 10],
] as const;

/** Requests to all platforms, beginning with one to each. */
const requests = Object.entries(labProbes)
  .flatMap(([platform, probes]) => probes.map((probe, at) => ({ platform, at, ...probe })))
  .toSorted((a, b) => a.at - b.at)
  .map(({ platform, name, endpoint, parameters }) => {
    return [`${platform} ${name}`, `/${platform}/v3${endpoint}?${new URLSearchParams(parameters)}`] as const;
  });

describe.skipIf(!canMeasureStalls)(
  'other requests are not delayed (needs /proc) by links of many parameters in',
  () => {
    let lab: StretchingSite;
    let labService: RunningProcess;

    beforeAll(async () => {
      const folder = await temporaryFolder();
      closers.push(folder.delete);
      lab = await startStretchingSite(inject('labUrl'));
      closers.push(lab.close);
      labService = await startService(lab.url, folder.path, { ANSWER_CACHE: '0', USE_HEALTH: 'off' });
      closers.push(labService.stop);
    });

    for (const { rows, options } of firstRows(1, requests)) {
      test.each(rows)('%s', options, async (_name, path) => {
        const send = async () => {
          const { body } = await extract<{ error: { code: string } | null }>(`${labService.url}${path}`);
          return body.error?.code;
        };
        lab.stretch(undefined);
        expect(await send()).toBeUndefined();
        for (const [query, copies] of longQueries) {
          lab.stretch({ query, copies });
          const stall = await measureStall(labService, async () => {
            expect(await send()).not.toBe('unexpected_error');
          });
          const what = `${copies} copies of links with ${query}`;
          if (process.env.SHOW !== undefined) process.stdout.write(`${what}: ${stall.processor.toFixed(0)} ms\n`);
          expect(stall.failures, what).toEqual([]);
          expect(stall.processor, what).toBeLessThanOrEqual(MAX_STALL_MS);
        }
      });
    }
  },
);
