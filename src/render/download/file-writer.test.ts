import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../testing/property-runs.ts';
import { chunkSizeFor, splitRange } from './chunks.ts';
import { createFileWriter } from './file-writer.ts';

test('writes every chunk at its position, whatever the chunk sizes, even after the position moves back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-writer-'));
  const sizes = fc.array(fc.integer({ min: 1, max: 400_000 }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(3000), fc.nat(11), async (lengths, base, again) => {
      const parts = lengths.map((length, index) => Buffer.alloc(length, index + 1));
      const path = join(folder, 'file');
      const file = await open(path, 'w');
      const writer = createFileWriter(file, Promise.resolve(base));
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
