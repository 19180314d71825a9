import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Result } from '../support/envelope.ts';
import { extract } from '../support/http-client.ts';
import { findRequests } from '../support/lab-client.ts';
import { keys, type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';

const FLOOD = 18;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningProcess;
let over: AbortController;

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startService(inject('labUrl'), folder.path, { EGRESS_PACE: '2/1', TRUSTED_PROXIES: '127.0.0.1' });
});
afterEach(() => over.abort());
afterAll(async () => {
  await service.kill();
  await folder.delete();
});

/** Returns the headers of a visitor of the page from another network. */
const visitor = (index: number) => ({
  'x-millrace-page': '1',
  'sec-fetch-site': 'same-origin',
  'x-forwarded-for': `203.0.${index}.1`,
});

/** Returns the IDs of the videos with a prefix whose metadata the site was asked for, in this order. */
async function requestedVideos(prefix: string): Promise<readonly string[]> {
  const path = '/player/metadata/video/';
  const requests = await findRequests(inject('labUrl'), { host: 'www.dailymotion.com', path: `${path}${prefix}` });
  return requests.map(({ path: each }) => each.slice(path.length).replace(/\?.*/s, ''));
}

describe('the pace of a site is shared fairly', () => {
  test.for([
    {
      flood: 'a key',
      name: 'key',
      headersOf: () => ({ 'x-marketplace-key': keys.BASIC, 'x-marketplace-host': 'a.example' }),
    },
    { flood: 'visitors from many networks', name: 'web', headersOf: visitor },
  ])('with $flood that requests many items at once', async ({ name, headersOf }) => {
    over = new AbortController();
    const prefix = `xlab${name}`;
    for (let index = 0; index < FLOOD; index += 1) {
      const url = `${service.url}/p5/v3/video/details?videoId=${prefix}${index}`;
      fetch(url, { headers: headersOf(index), signal: over.signal }).catch(() => undefined);
    }
    await expect.poll(async () => (await requestedVideos(prefix)).length).toBeGreaterThan(1);
    const { body } = await extract<Result>(`${service.url}/p5/v3/video/details?videoId=${prefix}99`, keys.PRO);
    expect(body.error).toBeNull();
    const order = await requestedVideos(prefix);
    expect(order.indexOf(`${prefix}99`)).toBeGreaterThan(0);
    expect(order.indexOf(`${prefix}99`)).toBeLessThan(FLOOD / 2);
  });
});
