import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { describeJob, post, run } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { canMeasureStalls } from '../support/loop-stall.ts';
import { peakMemory } from '../support/peak-memory.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { holdSocket, sendRaw } from '../support/raw-request.ts';

/*
 * What one client makes the service hold in memory, and that others are served meanwhile.
 */

const MOST_MEMORY_MB = 150;
const OPENED_AT_ONCE = 100;
const attacker = '127.0.0.2';
const user = '127.0.0.3';

const sockets: Socket[] = [];
const open: (() => unknown)[] = [];
afterEach(async () => {
  closeAll();
  for (const close of open.splice(0).reverse()) await close();
});

function closeAll(): void {
  for (const socket of sockets.splice(0)) socket.destroy();
}

async function start(settings: Record<string, string> = {}): Promise<RunningProcess> {
  const folder = await temporaryFolder();
  open.push(() => folder.delete());
  // All other loopback addresses are then ordinary clients.
  const service = await startService(inject('labUrl'), folder.path, { TRUSTED_PROXIES: '127.0.0.99', ...settings });
  open.push(() => service.kill());
  return service;
}

/** Returns the path of a finished file that no socket's buffers can hold. */
async function renderFile({ url }: RunningProcess): Promise<string> {
  const input = { url: labFile('/media/amber-30/movie-1080.mp4').url, ext: 'mp4' };
  const { output } = await run(url, describeJob('no_process', [input], 'mp4'));
  return output?.url.replace(url, '') ?? '';
}

/** Sends a request over many connections that read the first bytes only. Returns how often each status came. */
async function hold({ url }: RunningProcess, request: string, count: number): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (let opened = 0; opened < count; opened += OPENED_AT_ONCE) {
    await Promise.all(
      Array.from({ length: Math.min(OPENED_AT_ONCE, count - opened) }, async () => {
        const { socket, received } = await holdSocket(url, attacker, request);
        sockets.push(socket);
        if (received() === '') await once(socket, 'data');
        socket.pause();
        const status = received().slice(9, 12);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }),
    );
  }
  return statuses;
}

async function statusFor(from: string, { url }: RunningProcess, target: string): Promise<number> {
  return (await sendRaw(url, { method: 'GET', target, from })).status;
}

/** Returns a request whose body lacks its last byte. */
const unfinished = (path: string, size: number, ...headers: readonly string[]) =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: a',
    'Content-Type: application/json',
    `Content-Length: ${size}`,
    ...headers,
    '',
    ' '.repeat(size - 1),
  ].join('\r\n');
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

describe('downloads that a client does not read', () => {
  test('are refused beyond the memory of the client, until some end', async () => {
    const service = await start({ CLIENT_MEMORY: '16' });
    const file = await renderFile(service);
    const { 200: served = 0, 429: refused = 0 } = await hold(service, get(file), 40);
    expect(served + refused).toBe(40);
    // A quarter of the memory is 28 times what a download needs at least. Half of that may go to larger chunks.
    expect(served).toBeLessThanOrEqual(28);
    expect(served).toBeGreaterThanOrEqual(14);
    expect(await statusFor(user, service, file)).toBe(200);
    closeAll();
    await expect.poll(() => statusFor(attacker, service, file)).toBe(200);
  });

  test.skipIf(!canMeasureStalls)('take little memory, however many there are', { tags: ['long'] }, async () => {
    const service = await start();
    const file = await renderFile(service);
    const growth = await peakMemory(service, async () => {
      expect(await hold(service, get(file), 1_000)).toMatchObject({ 429: expect.any(Number) });
      expect(await statusFor(user, service, file)).toBe(200);
    });
    expect(growth).toBeLessThanOrEqual(MOST_MEMORY_MB);
  });
});

describe('bodies whose last byte does not arrive', () => {
  /** Anyone may call it: execution URLs need no key. */
  const batch = '/api/v1/render/batch';
  const execute = '/api/v1/render/execute';

  /** Sends bodies over many connections, and waits until so many are refused. */
  async function sendUntilRefused(service: RunningProcess, count: number, refusedCount: number): Promise<void> {
    const request = unfinished(batch, 1_000_000);
    const held = await Promise.all(Array.from({ length: count }, () => holdSocket(service.url, attacker, request)));
    sockets.push(...held.map(({ socket }) => socket));
    const refused = () => held.filter(({ received }) => received().includes(' 429 ')).length;
    await expect.poll(refused, { timeout: 60_000 }).toBeGreaterThanOrEqual(refusedCount);
  }

  test('are refused without a key, and otherwise beyond the memory of the client', async () => {
    const service = await start({ CLIENT_MEMORY: '16' });
    expect(await hold(service, unfinished(execute, 250_000), 10)).toEqual({ 401: 10 });
    // One body is all that fits.
    await sendUntilRefused(service, 10, 9);
    const body = { jobs: [{ id: 'x'.repeat(900_000) }] };
    expect((await post(service.url + batch, body)).status).toBe(200);
  });

  test.skipIf(!canMeasureStalls)('take little memory, however many there are', { tags: ['long'] }, async () => {
    const service = await start();
    const growth = await peakMemory(service, async () => {
      for (let round = 0; round < 10; round += 1) await sendUntilRefused(service, 100, 68);
      expect(await statusFor(user, service, '/health')).toBe(200);
    });
    expect(growth).toBeLessThanOrEqual(MOST_MEMORY_MB);
  });
});

describe('heads and trailers whose last byte does not arrive', () => {
  const fields = `X-Field: ${'x'.repeat(990)}\r\n`.repeat(60);
  const head = `GET /health HTTP/1.1\r\nHost: a\r\n${fields}`;
  const chunked = 'Host: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked';
  const trailers = `POST /api/v1/render/batch HTTP/1.1\r\n${chunked}\r\n\r\n0\r\n${fields}`;

  /** Sends heads over many connections, and waits until so many are refused. */
  async function sendUntilRefused(
    service: RunningProcess,
    count: number,
    refusedCount: number,
    bytes = head,
  ): Promise<void> {
    const heads = Array.from({ length: count }, () => holdSocket(service.url, attacker, bytes));
    const held = await Promise.all(heads);
    sockets.push(...held.map(({ socket }) => socket));
    const refused = () => held.filter(({ received }) => received().includes(' 429 ')).length;
    await expect.poll(refused, { timeout: 60_000 }).toBeGreaterThanOrEqual(refusedCount);
  }

  test.each([
    ['heads', head],
    ['trailers', trailers],
  ])('%s are refused beyond the memory of the client, until some end', async (_what, bytes) => {
    const service = await start({ CLIENT_MEMORY: '16' });
    // 4 MiB are 23 times what a head holds.
    await sendUntilRefused(service, 50, 25, bytes);
    expect(await statusFor(user, service, '/health')).toBe(200);
    expect((await sendRaw(service.url, { method: 'GET', target: '/health', from: attacker })).status).toBe(200);
    closeAll();
    const long = [['x-field', 'x'.repeat(60_000)]] as const;
    const again = () => sendRaw(service.url, { method: 'GET', target: '/health', headers: long, from: attacker });
    await expect.poll(async () => (await again()).status).toBe(200);
  });

  test.skipIf(!canMeasureStalls)('take little memory, however many there are', { tags: ['long'] }, async () => {
    const service = await start();
    const growth = await peakMemory(service, async () => {
      for (let round = 0; round < 30; round += 1) await sendUntilRefused(service, 100, round < 6 ? 0 : 50);
      expect(await statusFor(user, service, '/health')).toBe(200);
    });
    expect(growth).toBeLessThanOrEqual(MOST_MEMORY_MB);
  });
});
