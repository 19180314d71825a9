import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Result } from '../support/envelope.ts';
import { keys, type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { sendRaw } from '../support/raw-request.ts';

const proxy = '127.0.0.99';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningProcess;

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startService(inject('labUrl'), folder.path, {
    TRUSTED_PROXIES: proxy,
    WEB_RATE: '1000/1000',
    WEB_JOBS: '100/1',
    // With 500 credits, of which a visitor can use 20 a day.
    WEB_KEY: keys.BASIC,
    PLAN_LIMITS: '{"BASIC":{"requestsPerSecond":1000}}',
  });
});
afterAll(async () => {
  await service.kill();
  await folder.delete();
});

/** Sends a request of the page for a client of the proxy. */
async function askAsPage(target: string, client: string, more: readonly (readonly [string, string])[] = []) {
  const headers = [
    ...more,
    ['X-Millrace-Page', '1'],
    ['Sec-Fetch-Site', 'same-origin'],
    ['X-Forwarded-For', client],
  ] as const;
  return await sendRaw(service.url, { method: 'GET', target, from: proxy, headers });
}

/** Starts a render of a visitor, and cancels it, each time with the same URL. Returns the statuses of the starts. */
async function startAndCancelTimes(client: string, times: number): Promise<number[]> {
  const query = '/p1/v3/video/details?videoId=lab-min-002&renderableFormats=lowres';
  const { contents } = JSON.parse((await askAsPage(query, client)).body) as Result;
  const url = contents?.[0]?.renderableVideos?.[0]?.renderConfig?.executionUrl ?? '';
  const statuses: number[] = [];
  for (let start = 0; start < times; start += 1) {
    // Another program starts the job.
    const { status } = await fetch(url);
    if (status === 202) await fetch(url, { method: 'DELETE' });
    statuses.push(status);
  }
  return statuses;
}

const startAndCancel = async (client: string) => (await startAndCancelTimes(client, 1))[0];

/** Repeats a request for clients, one after the other. */
async function each<Outcome>(clients: readonly string[], send: (client: string) => Promise<Outcome>) {
  const outcomes: Outcome[] = [];
  for (const client of clients) outcomes.push(await send(client));
  return outcomes;
}

/** Addresses in networks of one /56, or in networks of one /48 in different /56. */
const inMiddle = (count: number) =>
  Array.from({ length: count }, (_, index) => `2001:db8:1:${index.toString(16)}::${index}`);
const inWide = (count: number) =>
  Array.from({ length: count }, (_, index) => `2001:db8:2:${(index * 256).toString(16)}::${index}`);

test('the jobs of visitors are limited for all networks of a /56, and of a /48', async () => {
  expect(await each(['203.0.113.1', '203.0.113.1', '203.0.113.2'], startAndCancel)).toEqual([202, 429, 202]);
  expect(await each(inMiddle(5), startAndCancel)).toEqual([...Array(4).fill(202), 429]);
  expect(await each(inWide(17), startAndCancel)).toEqual([...Array(16).fill(202), 429]);
  expect(await startAndCancel('2001:db8:3::1')).toBe(202);
});

test('a visitor who starts and cancels one job again and again has started several', async () => {
  expect(await startAndCancelTimes('203.0.113.9', 3)).toEqual([202, 429, 429]);
});

describe('the credits of the page', () => {
  const profile = '/p2/v3/user/profile/details?username=thelab';

  /** Requests a profile, which costs 5 credits unless it is cached. Returns the code of its error. */
  async function request(client: string, more: readonly (readonly [string, string])[] = []): Promise<string> {
    const { body } = await askAsPage(profile, client, more);
    return (JSON.parse(body) as Result).error?.code ?? 'ok';
  }
  const extract = (client: string) => request(client, [['Cache-Control', 'no-cache']]);

  test('are limited for a visitor, and cached results are free', async () => {
    const { body } = await askAsPage(profile, '203.0.113.7', [['Cache-Control', 'no-cache']]);
    expect((JSON.parse(body) as Result).notes?.at(-1)).toContain('5 credits');
    expect(await each(Array(4).fill('203.0.113.7'), extract)).toEqual(['ok', 'ok', 'ok', 'rate_limited']);
    expect(await each(Array(3).fill('203.0.113.7'), (client) => request(client))).toEqual(['ok', 'ok', 'ok']);
    const refused = await askAsPage(profile, '203.0.113.7', [['Cache-Control', 'no-cache']]);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(refused.body).toContain('you have 0 left of the 20 that a visitor may use today');
  });

  test.each([
    ['a /56', inMiddle(10)],
    ['a /48', inWide(10)],
  ])('are limited for all networks of %s', async (_which, clients) => {
    // A tenth of the remaining credits: after 40, that is less than 45.
    expect(await each(clients, extract)).toEqual([...Array(8).fill('ok'), 'rate_limited', 'rate_limited']);
  });
});
