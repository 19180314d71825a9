import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeHostileFolder, untouchedContent } from '../../files/testing/hostile-files.ts';
import { propertyRuns } from '../../testing/property-runs.ts';
import { createConcatenatedFile } from './concatenated-file.ts';
import type { FileProgress } from './file-progress.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-resources-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test('reports how many bytes are present without a gap, in whatever order the resources complete', async () => {
  const path = join(directory, 'file');
  const cases = fc
    .array(fc.nat(300), { minLength: 1, maxLength: 20 })
    .chain((sizes) =>
      fc.tuple(fc.constant(sizes), fc.shuffledSubarray([...sizes.keys()], { minLength: sizes.length })),
    );
  await fc.assert(
    fc.asyncProperty(cases, async ([sizes, order]) => {
      const reports: FileProgress[] = [];
      const file = createConcatenatedFile(path, sizes.length, (progress) => reports.push(progress));
      const slots = await Promise.all(sizes.map(() => file.reserveSlot()));
      for (const [index, { size }] of slots.entries()) size.resolve(sizes[index] ?? 0);
      const endedIndexes = new Set<number>();
      for (const index of order) {
        const [slot, size = 0] = [slots[index], sizes[index]];
        await slot?.file.write(Buffer.alloc(size, index + 1), 0, size, await slot.offset);
        await slot?.complete(size);
        endedIndexes.add(index);
        const gap = sizes.findIndex((_, at) => !endedIndexes.has(at));
        const contiguousBytes = sizes.slice(0, gap < 0 ? sizes.length : gap).reduce((sum, each) => sum + each, 0);
        expect(file.bytes).toBe(contiguousBytes);
        expect(reports.at(-1) ?? { bytes: 0, whole: false }).toMatchObject({ bytes: contiguousBytes, whole: gap < 0 });
      }
      expect(await readFile(path)).toEqual(Buffer.concat(sizes.map((size, index) => Buffer.alloc(size, index + 1))));
      expect(reports.filter(({ whole }) => whole)).toHaveLength(1);
      expect(reports.at(-1)?.ends).toEqual(
        sizes.map((_, index) => sizes.slice(0, index + 1).reduce((sum, size) => sum + size, 0)),
      );
      // The file was closed when its last resource completed.
      await expect(slots[0]?.file.stat()).rejects.toMatchObject({ code: 'EBADF' });
    }),
    { seed: 5, numRuns: propertyRuns(60) },
  );
});

test('fails the offsets after a failed resource, and closes the open file', async () => {
  const file = createConcatenatedFile(join(directory, 'file'), 3, () => undefined);
  const slots = await Promise.all([file.reserveSlot(), file.reserveSlot(), file.reserveSlot()]);
  slots[1]?.size.resolve(4);
  slots[0]?.size.reject(new Error('refused'));
  await expect(slots[2]?.offset).rejects.toThrow('refused');
  await file.close();
  await expect(slots[0]?.file.stat()).rejects.toMatchObject({ code: 'EBADF' });
});

test.each([
  ['a symbolic link', 'symbolic link', false],
  ['a resumed symbolic link', 'symbolic link', true],
  ['a FIFO', 'FIFO', false],
  ['a resumed FIFO', 'FIFO', true],
] as const)('does not write to %s in place of the file', async (_name, trap, resumes) => {
  const ground = await makeHostileFolder();
  try {
    const path = join(ground.folder, 'file');
    await ground.place(trap, path);
    const file = createConcatenatedFile(path, 1, () => undefined, resumes);
    await expect(file.reserveSlot()).rejects.toThrow(/is a symbolic link|is not a regular file/);
    await file.close();
    expect(await ground.readVictim()).toBe(untouchedContent);
  } finally {
    await ground.delete();
  }
});

test('truncates a new file, and keeps the content of a resumed one', async () => {
  const path = join(directory, 'file');
  await writeFile(path, 'from before');
  for (const [resumes, size] of [
    [true, 11],
    [false, 0],
  ] as const) {
    const file = createConcatenatedFile(path, 1, () => undefined, resumes);
    const slot = await file.reserveSlot();
    expect((await slot.file.stat()).size).toBe(size);
    await file.close();
  }
});
