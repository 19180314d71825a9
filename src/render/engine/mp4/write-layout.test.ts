import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { type MediaDirectory, makeTestDirectory } from '../testing/test-media.ts';
import { idlePacer, recordingPacer } from '../testing/test-pacers.ts';
import type { CopyRun, Layout } from './layout.ts';
import { type InputFile, openInputFile } from './open-files.ts';
import { writeLayout } from './write-layout.ts';

const MIB = 1024 * 1024;
const sizes = [3 * MIB + 17, 9 * MIB + 5];

let directory: MediaDirectory;
let contents: Buffer[];
let files: InputFile[];
beforeAll(() => {
  directory = makeTestDirectory();
  contents = sizes.map((size, at) => {
    const bytes = Buffer.allocUnsafe(size);
    for (let place = 0; place < size; place += 1) bytes[place] = (place * 31 + (place >> 8) * 7 + at) & 0xff;
    writeFileSync(directory.file(`input-${at}`), bytes);
    return bytes;
  });
  files = sizes.map((_, at) => openInputFile(directory.file(`input-${at}`)));
});
afterAll(() => {
  for (const file of files ?? []) file.close();
  directory?.remove();
});

function layoutOf(runs: readonly CopyRun[]): Layout {
  const head = Buffer.from('head');
  const mediaBytes = runs.reduce((sum, { length }) => sum + length, 0);
  return { head, mediaBytes, bytes: head.length + mediaBytes, runs: () => runs };
}

const run = fc
  .record({
    input: fc.nat(1),
    where: fc.nat(9 * MIB),
    length: fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 6 * MIB })),
  })
  .map(({ input, where, length }): CopyRun => {
    const size = sizes[input] ?? 0;
    const offset = where % size;
    return { input, offset, length: Math.min(length, size - offset) };
  });

describe('a planned result', () => {
  it('is written exactly as planned, from runs of any length', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 20 }), async (runs) => {
        const { pacer, fractions } = recordingPacer();
        await writeLayout(layoutOf(runs), files, directory.file('result'), pacer);
        const expectedRuns = runs.map(({ input, offset, length }) =>
          contents[input]?.subarray(offset, offset + length),
        );
        const whole = Buffer.concat([Buffer.from('head'), ...expectedRuns.flatMap((bytes) => bytes ?? [])]);
        expect(readFileSync(directory.file('result')).equals(whole)).toBe(true);
        expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
        expect(fractions[0]).toBe(0);
        expect(fractions.every((fraction) => fraction < 1)).toBe(true);
      }),
      { seed: 2, numRuns: propertyRuns(25) },
    );
  });

  it('is abandoned if an input has become shorter', async () => {
    for (const length of [100, MIB]) {
      const runs = [{ input: 0, offset: 3 * MIB, length }];
      await expect(writeLayout(layoutOf(runs), files, directory.file('result'), idlePacer)).rejects.toMatchObject({
        code: 'processing_failed',
        message: 'An input became shorter while it was being read. Start the job again.',
      });
    }
  });

  it('is abandoned if the disk is full', async () => {
    const runs = [{ input: 1, offset: 0, length: 6 * MIB }];
    await expect(writeLayout(layoutOf(runs), files, '/dev/full', idlePacer)).rejects.toMatchObject({
      code: 'storage_failed',
    });
  });
});
