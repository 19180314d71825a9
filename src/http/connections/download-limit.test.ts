import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { sendRaw } from '../../../test/support/raw-request.ts';
import { createServer } from '../server.ts';
import { createConnectionTracker, type Refusal } from './connection-tracker.ts';
import { maxDownloadsFor } from './descriptor-limit.ts';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** Starts a server for four downloads, two clients of which can have one each. */
async function serve(proxies: readonly string[]) {
  const refusals: Refusal[] = [];
  const limits = { max: 100, maxPerClient: 100, proxies, maxDownloads: 4 };
  const connections = createConnectionTracker(limits, { onRefused: (reason) => refusals.push(reason) });
  const app = await createServer(pino({ level: 'silent' }), { connections, proxies });
  const files: PassThrough[] = [];
  app.get('/file', { config: { isDownload: true } }, (_request, reply) => {
    const file = new PassThrough();
    files.push(file);
    file.write('begin');
    return reply.type('video/mp4').send(file);
  });
  app.get('/other', () => 'here');
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  open.push(() => app.close());
  open.push(() => app.server.closeAllConnections());
  const get = async (target: string, from = '127.0.0.1', forwardedFor = '') => {
    const forwarded = [['X-Forwarded-For', forwardedFor]] as const;
    const { status, headers, body } = await sendRaw(url, { method: 'GET', target, from, headers: forwarded });
    return [status, headers.get('retry-after'), /"code":"(\w+)"/.exec(body)?.[1]];
  };
  const download = async (from?: string, forwardedFor?: string) => {
    const count = files.length;
    const ended = get('/file', from, forwardedFor).catch(() => undefined);
    await expect.poll(() => files.length).toBe(count + 1);
    return async () => {
      files[count]?.end();
      await ended;
    };
  };
  return { get, download, refusals };
}

describe('downloads beyond the limit', () => {
  test('of the node get 503 until one ends, and everything else is served', async () => {
    const { get, download, refusals } = await serve([]);
    const ends = [await download(), await download(), await download(), await download()];
    expect(await get('/file')).toEqual([503, '5', 'service_unavailable']);
    expect(await get('/other')).toEqual([200, undefined, undefined]);
    expect(refusals).toEqual(['downloads']);
    await ends[2]?.();
    await download();
    expect(await get('/file')).toEqual([503, '5', 'service_unavailable']);
  });

  test('of one address get 429, and other addresses are served', async () => {
    const { get, download } = await serve(['10.0.0.0/8']);
    const end = await download('127.0.0.2');
    expect(await get('/file', '127.0.0.2')).toEqual([429, '5', 'rate_limited']);
    await download('127.0.0.3');
    await end();
    await download('127.0.0.2');
  });

  test.each([
    ['an address that is not trusted', '203.0.113.1'],
    ['an address of a trusted range', '127.0.0.5'],
    ['the address of the proxy', '127.0.0.1'],
    ['no address', 'unknown'],
  ])('of a client that a proxy names get 429, if it has %s', async (_which, client) => {
    const { get, download } = await serve(['127.0.0.0/8']);
    await download('127.0.0.1', client);
    expect(await get('/file', '127.0.0.1', client)).toEqual([429, '5', 'rate_limited']);
    // The proxy itself is exempt.
    await download('127.0.0.1');
    await download('127.0.0.1');
  });
});

test('the limit leaves descriptors for everything else', () => {
  expect([64, 1_024, 4_096].map(maxDownloadsFor)).toEqual([4, 144, 720]);
});
