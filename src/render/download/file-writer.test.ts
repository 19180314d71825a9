import { type FileHandle, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { writeBytes } from '../../files/write-size.ts';
import { propertyRuns } from '../../testing/property-runs.ts';
import type { ByteRange } from './byte-ranges.ts';
import { chunkSizeFor, splitRange } from './chunks.ts';
import { createFileWriter } from './file-writer.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('writes every chunk at its position, whatever the chunk sizes, even after the position moves back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-writer-'));
  const sizes = fc.array(fc.integer({ min: 1, max: 400_000 }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(3000), fc.nat(11), async (lengths, base, again) => {
      const parts = lengths.map((length, index) => Buffer.alloc(length, index + 1));
      const path = join(folder, 'file');
      const file = await open(path, 'w');
      const writer = createFileWriter(file, base);
      const starts: number[] = [];
      let position = 0;
      for (const part of parts) {
        starts.push(position);
        await writer.write(position, part);
        position += part.length;
      }
      const at = again % parts.length;
      await writer.write(starts[at] ?? 0, parts[at] ?? Buffer.alloc(0));
      await writer.flush();
      await file.close();
      expect((await readFile(path)).subarray(base).equals(Buffer.concat(parts))).toBe(true);
    }),
    { seed: 1, numRuns: propertyRuns(40) },
  );
  await rm(folder, { recursive: true });
});

test('chunks cover a file exactly once, without a gap', () => {
  fc.assert(
    fc.property(fc.nat(5e9), fc.integer({ min: 1, max: 10 }), fc.nat(2e6), (total, concurrency, from) => {
      const size = chunkSizeFor(total, concurrency);
      const parts = splitRange({ from, end: total }, size);
      let next = from;
      for (const { from: start, to = -1 } of parts) {
        expect(start).toBe(next);
        expect(to - start + 1).toBeLessThanOrEqual(size);
        next = to + 1;
      }
      if (from < total) expect(next).toBe(total);
      else expect(parts).toEqual([]);
    }),
    { seed: 1, numRuns: propertyRuns(200) },
  );
});

test('a flush waits for the write that it finds in flight, and reports its failure', async () => {
  const failure = new Error('the disk is full');
  const written = Promise.withResolvers<{ bytesWritten: number }>();
  const file = { writev: () => written.promise } as unknown as FileHandle;
  const writer = createFileWriter(file, 0);
  const inFlight = writer.write(0, Buffer.alloc(writeBytes));
  expect(inFlight).toBeInstanceOf(Promise);
  const flushed = writer.flush();
  written.reject(failure);
  await expect(flushed).rejects.toBe(failure);
  await expect(inFlight).rejects.toBe(failure);
  await expect(writer.finish()).rejects.toBe(failure);
});

describe('a connection that falls silent', () => {
  /** Opens a writer to a file whose writes end when the test ends them. */
  function openSlowFile() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const writes: PromiseWithResolvers<{ bytesWritten: number }>[] = [];
    const writev = () => {
      const write = Promise.withResolvers<{ bytesWritten: number }>();
      writes.push(write);
      return write.promise;
    };
    const written: ByteRange[] = [];
    const writer = createFileWriter({ writev } as unknown as FileHandle, 0, (range) => written.push(range));
    return { writer, writes, written };
  }

  test('loses no bytes that arrived a quarter of a second ago', async () => {
    const { writer, writes, written } = openSlowFile();
    expect(writer.write(0, Buffer.alloc(100))).toBeUndefined();
    await vi.advanceTimersByTimeAsync(249);
    expect(writes).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    writes[0]?.resolve({ bytesWritten: 100 });
    await expect.poll(() => written).toEqual([{ from: 0, end: 100 }]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('has at most one timed write at once, however slow the file is', async () => {
    const { writer, writes, written } = openSlowFile();
    for (let at = 0; at < 5; at += 1) {
      expect(writer.write(at, Buffer.alloc(1))).toBeUndefined();
      await vi.advanceTimersByTimeAsync(250);
    }
    expect(writes).toHaveLength(1);
    writes[0]?.resolve({ bytesWritten: 1 });
    await vi.advanceTimersByTimeAsync(250);
    writes[1]?.resolve({ bytesWritten: 4 });
    await vi.advanceTimersByTimeAsync(250);
    expect(written).toEqual([
      { from: 0, end: 1 },
      { from: 1, end: 5 },
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('leaves no timer after a flush, and reports a timed write that failed', async () => {
    const { writer, writes } = openSlowFile();
    const failure = new Error('the disk is full');
    expect(writer.write(0, Buffer.alloc(1))).toBeUndefined();
    await vi.advanceTimersByTimeAsync(250);
    writes[0]?.reject(failure);
    await vi.advanceTimersByTimeAsync(0);
    expect(writer.write(1, Buffer.alloc(1))).toBeUndefined();
    expect(vi.getTimerCount()).toBe(1);
    const flushed = writer.flush();
    expect(vi.getTimerCount()).toBe(0);
    writes[1]?.resolve({ bytesWritten: 1 });
    await expect(flushed).rejects.toBe(failure);
  });
});
