import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { propertyRuns } from '../../testing/property-runs.ts';
import { createArrivalProof, type SummedRange } from './arrival-proof.ts';
import { createArrivalSum, isArrivalSum, sumOf } from './arrival-sum.ts';
import type { ByteRange } from './byte-ranges.ts';
import { type ByteWriter, createFileWriter } from './file-writer.ts';
import { partsIn, withStoredBytes } from './stored-bytes.ts';
import { createBytes, MIB } from './testing/downloads.ts';

const content = createBytes(3 * MIB + 5);
const { signal } = new AbortController();
let folder: string;
let path: string;
let file: FileHandle;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-proof-'));
  path = join(folder, 'input');
});
beforeEach(async () => {
  file = await open(path, 'w+');
});
afterEach(async () => {
  vi.useRealTimers();
  await file.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Writes the bytes of the content from a position, in chunks. */
async function write(writer: ByteWriter, { from, end }: ByteRange, chunkBytes = 100_000): Promise<void> {
  for (let at = from; at < end; at += chunkBytes) {
    await writer.write(at, content.subarray(at, Math.min(at + chunkBytes, end)));
  }
  await writer.finish();
}

function openProof(storedRanges: readonly SummedRange[] = []) {
  const recorded: SummedRange[] = [];
  const proof = createArrivalProof('Input 1', { storedRanges, onStored: (range) => void recorded.push(range) });
  const openWriter = () => proof.writerTo((onWritten) => createFileWriter(file, 0, onWritten));
  const verify = (range = { from: 0, end: content.length }) =>
    withStoredBytes(signal, (bytes) => proof.verify(range, partsIn(path), bytes));
  return { proof, openWriter, verify, recorded };
}

describe('the sum of bytes', () => {
  test('is the same in whatever pieces they are added', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 20 });
    fc.assert(
      fc.property(sizes, (lengths) => {
        const sum = createArrivalSum();
        let at = 0;
        for (const length of lengths) {
          sum.add(content.subarray(at, at + length));
          at += length;
        }
        const digest = sum.digest();
        expect(isArrivalSum(digest)).toBe(true);
        expect(digest).toBe(sumOf(content.subarray(0, at)));
      }),
      { seed: 1, numRuns: propertyRuns(100) },
    );
  });

  test('differs if one bit does, or zeros are added', () => {
    const bytes = Buffer.alloc(1000);
    const changed = Buffer.from(bytes);
    changed[500] = 1;
    expect(new Set([sumOf(bytes), sumOf(changed), sumOf(Buffer.alloc(1001)), sumOf(Buffer.alloc(0))]).size).toBe(4);
  });
});

test('verifies ranges that several writers have stored, and those of an earlier process', async () => {
  const first = openProof();
  await write(first.openWriter(), { from: 0, end: MIB });
  const { recorded, openWriter, verify } = openProof(first.recorded);
  await write(openWriter(), { from: 2 * MIB, end: content.length });
  await write(openWriter(), { from: MIB, end: 2 * MIB });
  await verify();
  const stored = [...first.recorded, ...recorded].toSorted((a, b) => a.from - b.from);
  expect(stored.map(({ sum }) => sum)).toEqual(stored.map(({ from, end }) => sumOf(content.subarray(from, end))));
});

test('sums bytes again that arrive again', async () => {
  const { proof, openWriter, verify } = openProof();
  const writer = openWriter();
  await writer.write(0, Buffer.alloc(1_500_000));
  await writer.flush();
  await write(writer, { from: 0, end: content.length });
  await verify();
  expect(proof.storedRanges()[0]?.from).toBe(0);
});

test('records about each mebibyte when it is written, although more bytes follow', async () => {
  // Runs would be shorter on a busy machine.
  vi.useFakeTimers({ toFake: ['performance'] });
  const { proof, recorded, verify } = openProof();
  let report = (_range: ByteRange): void => undefined;
  const writer = proof.writerTo((onWritten) => {
    report = onWritten;
    return createFileWriter(file, 0);
  });
  for (let at = 0; at < content.length; at += 300_000) await writer.write(at, content.subarray(at, at + 300_000));
  expect(recorded).toEqual([]);
  report({ from: 0, end: 2 * MIB });
  expect(recorded.map(({ from, end }) => [from, end])).toEqual([[0, 1_200_000]]);
  report({ from: 2 * MIB, end: content.length });
  await writer.finish();
  await verify();
});

test('does not record bytes that arrive again before they are written again', async () => {
  const { proof, recorded } = openProof();
  let report = (_range: ByteRange): void => undefined;
  const writer = proof.writerTo((onWritten) => {
    report = onWritten;
    return createFileWriter(file, 0);
  });
  await writer.write(0, content.subarray(0, 300_000));
  report({ from: 0, end: 300_000 });
  expect(recorded.map(({ end }) => end)).toEqual([300_000]);
  await writer.write(0, content.subarray(0, 100_000));
  await writer.write(0, content.subarray(0, 100_000));
  expect(recorded).toHaveLength(1);
  expect(proof.storedRanges()).toEqual([]);
});

test('has one sum for the bytes of a writer if nothing is recorded', async () => {
  const proof = createArrivalProof('Input 1');
  await write(
    proof.writerTo((onWritten) => createFileWriter(file, 0, onWritten)),
    { from: 0, end: content.length },
  );
  expect(proof.storedRanges()).toEqual([{ from: 0, end: content.length, sum: sumOf(content) }]);
});

test.each<readonly [string, (faulty: Buffer) => Promise<unknown>]>([
  ['a byte has changed', (faulty) => file.write(faulty.fill(7, 0, 1), 0, 1, 2 * MIB)],
  ['bytes are zeros', () => file.write(Buffer.alloc(4096), 0, 4096, 1_500_000)],
  ['bytes are in another place, too', () => file.write(content, 0, 5000, 2_500_000)],
  ['the file is shorter', () => file.truncate(content.length - 1)],
])('fails if %s after all writes', async (_what, damage) => {
  const { openWriter, verify } = openProof();
  await write(openWriter(), { from: 0, end: content.length });
  await damage(Buffer.alloc(1));
  await expect(verify()).rejects.toMatchObject({
    code: 'download_incomplete',
    message: expect.stringMatching(/^Input 1 is damaged: the bytes from \d+ to \d+ were not stored as they arrived\./),
  });
});

test('fails if a range has not arrived, or was not written', async () => {
  const { openWriter, proof, verify } = openProof();
  await write(openWriter(), { from: 0, end: MIB });
  await write(
    proof.writerTo(() => createFileWriter(file, 0)),
    { from: MIB, end: content.length },
  );
  await expect(verify({ from: 0, end: 2 * MIB })).rejects.toMatchObject({
    code: 'download_incomplete',
    message: expect.stringContaining(
      `Input 1 is incomplete: the bytes from ${MIB} to ${2 * MIB - 1} have not arrived.`,
    ),
  });
});

test('ends with the reason of an aborted signal', async () => {
  const { proof, openWriter } = openProof();
  await write(openWriter(), { from: 0, end: content.length });
  const reason = new Error('the job is cancelled');
  const verifying = withStoredBytes(AbortSignal.abort(reason), (bytes) =>
    proof.verify({ from: 0, end: content.length }, partsIn(path), bytes),
  );
  await expect(verifying).rejects.toBe(reason);
});
