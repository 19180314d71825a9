import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Result } from '../support/envelope.ts';
import { describeJob, extract, fetchJson, type JsonResponse, post } from '../support/http-client.ts';
import { keys, type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { holdSocket } from '../support/raw-request.ts';

/** Requests that one client may send at once. */
const BURST = 4;
/** Requests that may use the URLs of one owner at once. */
const OWNER_BURST = 16;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningProcess;
let clients = 0;

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startService(inject('labUrl'), folder.path, { TRUSTED_PROXIES: '127.0.0.1', JOB_RATE: `1/${BURST}` });
});
afterAll(async () => {
  await service.kill();
  await folder.delete();
});

interface Failure {
  readonly error: { readonly message: string };
}

/** Returns the headers of a client that has sent nothing. */
function newClient(): Record<string, string> {
  clients += 1;
  return { 'x-forwarded-for': `203.0.113.${clients}` };
}

/** Returns the execution URL of a video for a key. */
async function executionUrlFor(key: string): Promise<string> {
  const query = '/p1/v3/video/details?videoId=lab-min-002&renderableFormats=lowres';
  const { body } = await extract<Result>(`${service.url}${query}`, key);
  return body.contents?.[0]?.renderableVideos?.[0]?.renderConfig?.executionUrl ?? '';
}

/** Returns the execution URL of a stored description. */
async function storedUrl(): Promise<string> {
  const { body } = await post<{ executionUrl: string }>(
    `${service.url}/api/v1/render/cache`,
    describeJob('convert_format', [{ url: 'http://nowhere.example/a.mp4', ext: 'mp4' }], 'mp4'),
  );
  return body.executionUrl;
}

type Send = (url: string, headers: Record<string, string>) => Promise<JsonResponse<unknown>>;
const start: Send = (url, headers) => fetchJson(url, { headers });
const cancel: Send = (url, headers) => fetchJson(url, { method: 'DELETE', headers });
const preview: Send = (url, headers) => fetchJson(`${url}${url.includes('?') ? '&' : '?'}plan=only`, { headers });
const startInBatch: Send = async (executionUrl, headers) => {
  const url = `${service.url}/api/v1/render/batch`;
  const response = await post<{ results: { statusCode: number; retryAfter?: number; body: unknown }[] }>(
    url,
    { jobs: [{ executionUrl }] },
    undefined,
    headers,
  );
  const [{ statusCode = 0, retryAfter, body } = {}] = response.body.results;
  return { status: statusCode, headers: new Headers({ 'retry-after': `${retryAfter}` }), body };
};

/** Sends requests, one after the other, until one is refused. Returns how many were not, and the refusal. */
async function sendUntilRefused(send: Send, url: string, headersOf: () => Record<string, string>) {
  for (let sent = 0; sent < 100; sent += 1) {
    const response = await send(url, headersOf());
    if (response.status === 429) return { sent, response };
  }
  throw new Error('no request was refused');
}

describe('a client that uses execution URLs without pause is refused, and no other client', () => {
  test.each([
    ['starts', start, () => executionUrlFor(keys.BASIC)],
    ['cancellations', cancel, () => executionUrlFor(keys.PRO)],
    ['previews', preview, () => executionUrlFor(keys.ULTRA)],
    ['items of batches', startInBatch, () => executionUrlFor(keys.MEGA)],
    ['starts of a stored description', start, storedUrl],
    ['cancellations of a stored description', cancel, storedUrl],
    ['items of batches with a stored description', startInBatch, storedUrl],
  ])('%s', async (_what, send, urlOf) => {
    const url = await urlOf();
    const client = newClient();
    const { sent, response } = await sendUntilRefused(send, url, () => client);
    // A slow machine may take so long that more are allowed.
    expect(sent).toBeGreaterThanOrEqual(BURST);
    const message = expect.stringContaining('requests a minute');
    expect(response.body).toMatchObject({ error: { code: 'rate_limited', message } });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await send(url, newClient())).status).not.toBe(429);
  });

  test('checks of a stored description', async () => {
    const url = await storedUrl();
    const client = newClient();
    const check = async (headers: Record<string, string>) => (await fetch(url, { method: 'HEAD', headers })).status;
    for (let sent = 0; sent < BURST; sent += 1) expect(await check(client)).toBe(200);
    expect([await check(client), await check(newClient())]).toEqual([429, 200]);
  });
});

test('many clients that use one execution URL are refused, but not with the URLs of other owners', async () => {
  const page = { 'x-millrace-page': '1', 'sec-fetch-site': 'same-origin' };
  const urlOfVisitor = async () => {
    const query = '/p1/v3/video/details?videoId=lab-min-002&renderableFormats=lowres';
    const { body } = await fetchJson<Result>(`${service.url}${query}`, { headers: { ...page, ...newClient() } });
    return body.contents?.[0]?.renderableVideos?.[0]?.renderConfig?.executionUrl ?? '';
  };
  const [url, other] = [await urlOfVisitor(), await urlOfVisitor()];
  const { sent, response } = await sendUntilRefused(start, url, newClient);
  expect(sent).toBeGreaterThanOrEqual(OWNER_BURST);
  expect((response.body as Failure).error.message).toMatch(
    /^The owner of this execution URL has sent more than 4 requests/,
  );
  expect((await start(other, newClient())).status).not.toBe(429);
});

describe('a client that reads the status of jobs without pause is refused, and no other client', () => {
  const upgrade = [
    ...['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  ];

  test.each([
    ['as JSON', 'jobs', 404, []],
    ['as events', 'status/sse', 200, []],
    ['over WebSockets', 'status', 101, upgrade],
  ])('%s', async (_what, path, usual, headers) => {
    const read = async ({ 'x-forwarded-for': client }: Record<string, string>) => {
      const lines = [
        `GET /api/v1/render/${path}/no-such-job HTTP/1.1`,
        'Host: a',
        `X-Forwarded-For: ${client}`,
        ...headers,
      ];
      const { socket, received } = await holdSocket(service.url, '127.0.0.1', `${lines.join('\r\n')}\r\n\r\n`);
      if (received() === '') await once(socket, 'data');
      socket.destroy();
      return Number(received().slice(9, 12));
    };
    const client = newClient();
    const statuses: number[] = [];
    do statuses.push(await read(client));
    while (statuses.at(-1) === usual && statuses.length < 100);
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.length).toBeGreaterThan(4 * BURST);
    expect(await read(newClient())).toBe(usual);
  });
});

describe('a key that manages its jobs without pause is refused, and no other key', () => {
  const headersOf = (key: string) =>
    key === keys.render || key === keys.otherRender
      ? { authorization: `Bearer ${key}` }
      : { 'x-marketplace-key': key, 'x-marketplace-host': 'api.example' };

  test.each([
    ['lists of jobs', 'GET', '/api/v1/render/jobs?limit=10', keys.render],
    ['usage', 'GET', '/api/v1/usage', keys.BASIC],
    ['deliveries', 'GET', '/api/v1/render/jobs/no-such-job/deliveries', keys.PRO],
    ['webhooks', 'GET', '/api/v1/webhooks', keys.ULTRA],
    ['cancellations', 'DELETE', '/api/v1/render/jobs/no-such-job', keys.MEGA],
  ])('%s', async (_what, method, path, key) => {
    const send: Send = (url, headers) => fetchJson(url, { method, headers: { ...headers, ...newClient() } });
    const { sent, response } = await sendUntilRefused(send, service.url + path, () => headersOf(key));
    // A list of ten jobs counts as two requests.
    expect(sent).toBeGreaterThanOrEqual(path.includes('limit') ? BURST / 2 : BURST);
    const message = expect.stringMatching(/^Your account has sent more than 1 requests a minute/);
    expect(response.body).toMatchObject({ error: { code: 'rate_limited', message } });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('a key with few requests is served', async () => {
    expect((await start(`${service.url}/api/v1/usage`, headersOf(keys.otherRender))).status).toBe(200);
  });
});
