import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../testing/property-runs.ts';
import { createScatterWriter } from './scatter-writer.ts';

test('writes every byte to the destination of its range, in whatever chunks it arrives', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-scatter-'));
  const lengths = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(lengths, fc.integer({ min: 1, max: 7_000 }), fc.nat(1_000), async (sizes, step, start) => {
      let from = start;
      let end = sizes.reduce((sum, size) => sum + size, 0);
      // The last range goes to the start of the file, the first one to its end.
      const ranges = sizes.map((size) => {
        end -= size;
        const range = { from, to: from + size - 1, destination: end };
        from += size;
        return range;
      });
      const source = Buffer.from(Array.from({ length: from - start }, (_, index) => (index * 7) % 251));
      const path = join(folder, 'file');
      const file = await open(path, 'w');
      const writer = createScatterWriter(file, ranges);
      for (let at = 0; at < source.length; at += step) await writer.write(start + at, source.subarray(at, at + step));
      await writer.finish();
      await file.close();
      const expected = ranges.toReversed().map((range) => source.subarray(range.from - start, range.to + 1 - start));
      expect((await readFile(path)).equals(Buffer.concat(expected))).toBe(true);
    }),
    { seed: 1, numRuns: propertyRuns(60) },
  );
  await rm(folder, { recursive: true });
});
