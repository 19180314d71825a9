import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createClientMemory, defaultClientMemory, type RequestMemory } from './client-memory.ts';
import type { ClientNetworks } from './client-network.ts';
import { nextChunkSize, takeDownload } from './download-memory.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

test('one client can hold a quarter, and all clients everything', () => {
  const memory = createClientMemory(400);
  const [first, second] = [memory.open(['a']), memory.open(['a'])];
  expect([first.resize(60), second.resize(41), second.resize(40)]).toEqual([undefined, 'share', undefined]);
  expect(first.resize(61)).toBe('share');
  expect(memory.open(undefined).resize(301)).toBe('full');
  expect(memory.open(undefined).resize(300)).toBeUndefined();
  expect(memory.open(['b']).resize(1)).toBe('full');
  first.release();
  expect(memory.open(['b']).resize(60)).toBeUndefined();
});

test('all clients of a wider network can hold half', () => {
  const memory = createClientMemory(400);
  const refusals = ['1', '2', '3'].map((small) => memory.open([small, 'middle', 'wide']).resize(80));
  expect(refusals).toEqual([undefined, undefined, 'share']);
  expect(memory.open(['4', 'other', 'wide']).resize(41)).toBe('share');
  expect(memory.open(['4', 'other', 'wide']).resize(40)).toBeUndefined();
  expect(memory.open(['alone']).resize(100)).toBeUndefined();
});

test('no client can hold more than 64 MiB', () => {
  const memory = createClientMemory(1024 * MIB).open(['a']);
  expect([memory.resize(64 * MIB), memory.resize(64 * MIB + 1)]).toEqual([undefined, 'share']);
});

test('a request that has ended holds nothing', () => {
  const memory = createClientMemory(400);
  const request = memory.open(['a']);
  request.resize(50);
  request.release();
  request.resize(50);
  expect([memory.used, memory.networks]).toEqual([0, 0]);
});

test('the budgets are kept and nothing is left, whatever requests hold and when they end', () => {
  const step = fc.record({ request: fc.nat(9), bytes: fc.nat(200), ends: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const memory = createClientMemory(400);
      const clients: (ClientNetworks | undefined)[] = [['a'], ['b'], ['c'], ['d'], undefined];
      const requests: RequestMemory[] = Array.from({ length: 10 }, (_, at) => memory.open(clients[at % 5]));
      const held = Array<number>(10).fill(0);
      const ended = new Set<number>();
      for (const { request, bytes, ends } of steps) {
        if (ends) {
          requests[request]?.release();
          ended.add(request);
          held[request] = 0;
        } else if (requests[request]?.resize(bytes) === undefined && !ended.has(request)) held[request] = bytes;
        expect(memory.used).toBe(held.reduce((sum, each) => sum + each));
        expect(memory.used).toBeLessThanOrEqual(400);
        for (let at = 0; at < 4; at += 1) expect((held[at] ?? 0) + (held[at + 5] ?? 0)).toBeLessThanOrEqual(100);
      }
      for (const request of requests) request.release();
      expect([memory.used, memory.networks]).toEqual([0, 0]);
    }),
  );
});

test('the default is a quarter of the memory, within limits', () => {
  expect([MIB, 1024 * MIB, 64 * 1024 * MIB].map((memory) => defaultClientMemory(memory) / MIB)).toEqual([
    64, 256, 1024,
  ]);
  expect(defaultClientMemory()).toBeGreaterThanOrEqual(64 * MIB);
});

test('chunks of downloads shrink while many are unread, before any download is refused', () => {
  const memory = createClientMemory(256 * MIB);
  const downloads: RequestMemory[] = [];
  const sizes: number[] = [];
  for (;;) {
    const download = memory.open(['a']);
    if (takeDownload(download) !== undefined) break;
    downloads.push(download);
    sizes.push(nextChunkSize(download) / KIB);
  }
  expect(sizes.slice(0, 50)).toEqual(Array(50).fill(256));
  expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
  expect(sizes.at(-1)).toBe(16);
  expect(sizes.length).toBeGreaterThan(250);
  // A client that reads on then gets a small chunk, too, and leaves room for more downloads.
  expect(downloads.map(nextChunkSize)).toEqual(Array(downloads.length).fill(16 * KIB));
  expect(takeDownload(memory.open(['a']))).toBeUndefined();
});
