import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHasher } from '../../files/hashing/hasher.ts';
import { createArrivalHash } from './arrival-hash.ts';
import type { ByteRange } from './byte-ranges.ts';

const MIB = 1024 * 1024;
const SIZE = 12 * MIB + 5;
const content = Buffer.from(Array.from({ length: SIZE }, (_, at) => (at * 31) % 251));
const expected = { sha256: createHash('sha256').update(content).digest('hex'), bytes: SIZE };
const hasher = createHasher();
let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-arrival-'));
  path = join(folder, 'input');
  await writeFile(path, content);
});
afterAll(async () => {
  await hasher.close();
  await rm(folder, { recursive: true, force: true });
});

const partsOf = ({ from, end }: ByteRange) => [{ path, position: from, length: end - from }];
const range = (from: number, end: number): ByteRange => ({ from, end });

function openHash(storedRanges: readonly ByteRange[] = [], { signal } = new AbortController()) {
  return createArrivalHash(hasher, signal, { partsOf, storedRanges });
}

test('hashes ranges that arrive in any order', async () => {
  const hash = openHash();
  const order = [range(6 * MIB, 9 * MIB), range(MIB, 6 * MIB), range(0, MIB), range(11 * MIB, SIZE)];
  for (const written of [...order, range(9 * MIB, 11 * MIB)]) hash.written(written);
  expect(await hash.finish(SIZE)?.hashed).toEqual(expected);
});

test('hashes what an earlier run has stored', async () => {
  const hash = openHash([range(5 * MIB, 7 * MIB), range(0, 5 * MIB)]);
  hash.written(range(7 * MIB, SIZE));
  expect(await hash.finish(SIZE)?.hashed).toEqual(expected);
});

test('allows bytes to be written again that were not hashed yet', async () => {
  const hash = openHash();
  hash.written(range(MIB, 6 * MIB));
  hash.written(range(2 * MIB, 6 * MIB));
  hash.written(range(0, SIZE));
  expect(await hash.finish(SIZE)?.hashed).toEqual(expected);
});

test('ends if hashed bytes are written again', () => {
  const hash = openHash();
  hash.written(range(0, 6 * MIB));
  hash.written(range(3 * MIB, SIZE));
  expect(hash.finish(SIZE)).toBeUndefined();
});

test('has no hash of a file with a gap, with bytes after its end, or that is small', () => {
  for (const [from, end, size] of [
    [1, SIZE, SIZE],
    [0, SIZE - 1, SIZE],
    [0, SIZE, SIZE - 1],
    [0, MIB, MIB],
  ] as const) {
    const hash = openHash();
    hash.written(range(from, end));
    expect(hash.finish(size)).toBeUndefined();
  }
});

test('ends with the signal, and when it is cancelled', async () => {
  const controller = new AbortController();
  const reason = new Error('the download has failed');
  const aborted = openHash([], controller);
  aborted.written(range(0, SIZE));
  const started = aborted.finish(SIZE);
  controller.abort(reason);
  await expect(started?.hashed).rejects.toBe(reason);

  const cancelled = openHash();
  cancelled.written(range(0, SIZE));
  cancelled.cancel();
  expect(cancelled.finish(SIZE)).toBeUndefined();
});

test('rejects if the file is shorter than what was written', async () => {
  const hash = openHash();
  hash.written(range(0, SIZE + 1));
  await expect(hash.finish(SIZE + 1)?.hashed).rejects.toThrow('the file ends at byte');
});
