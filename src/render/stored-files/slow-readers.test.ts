import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { openDiskStorage } from '../../storage/disk-storage.ts';
import { openStoredPart } from './open-stored-part.ts';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

test('a reader that stops holds one buffer of 256 KiB, and nothing more is read from the store', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-slow-reader-'));
  open.push(() => rm(folder, { recursive: true }));
  let reads = 0;
  const storage = await openDiskStorage(join(folder, 'store'), (call) => {
    reads += 1;
    return call();
  });
  const size = 4 * 1024 * 1024;
  const path = join(folder, 'file');
  await writeFile(path, Buffer.alloc(size, 'x'));
  const key = randomUUID();
  await storage.put(key, path, { size, signal: AbortSignal.timeout(60_000), onProgress: () => undefined });

  const stop = new AbortController();
  open.push(() => stop.abort());
  const stream = await openStoredPart(storage, key, { first: 0, last: size - 1, size }, stop.signal);
  stream.on('error', () => undefined);
  const taken: { chunk: Buffer; callback: () => void }[] = [];
  const writer = new Writable({
    highWaterMark: 64 * 1024,
    write: (chunk, _encoding, callback) => taken.push({ chunk, callback }),
  });
  stream.pipe(writer);
  for (let chunks = 1; chunks <= 3; chunks += 1) {
    await expect.poll(() => taken.length).toBe(chunks);
    // Reads that had been started would have ended by the end of this one.
    for (let turn = 0; turn < 3; turn += 1) await storage.storedAt(key);
    expect(reads).toBe(chunks);
    expect(taken[chunks - 1]?.chunk).toHaveLength(256 * 1024);
    expect([stream.readableLength, writer.writableLength]).toEqual([0, 256 * 1024]);
    taken[chunks - 1]?.callback();
  }
});
