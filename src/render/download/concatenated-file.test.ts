import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeHostileFolder, untouchedContent } from '../../files/testing/hostile-files.ts';
import { propertyRuns } from '../../testing/property-runs.ts';
import { createConcatenatedFile } from './concatenated-file.ts';
import type { FileGrowth } from './growing-file.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-resources-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test('a file tells how much of it is there without a gap, in whatever order its resources end', async () => {
  const path = join(directory, 'file');
  const cases = fc
    .array(fc.nat(300), { minLength: 1, maxLength: 20 })
    .chain((sizes) =>
      fc.tuple(fc.constant(sizes), fc.shuffledSubarray([...sizes.keys()], { minLength: sizes.length })),
    );
  await fc.assert(
    fc.asyncProperty(cases, async ([sizes, order]) => {
      const heard: FileGrowth[] = [];
      const file = createConcatenatedFile(path, sizes.length, (arrived) => heard.push(arrived));
      const places = await Promise.all(sizes.map(() => file.take()));
      for (const [index, { size }] of places.entries()) size.resolve(sizes[index] ?? 0);
      const ended = new Set<number>();
      for (const index of order) {
        const [place, size = 0] = [places[index], sizes[index]];
        await place?.file.write(Buffer.alloc(size, index + 1), 0, size, await place.base);
        await place?.end(size);
        ended.add(index);
        const gap = sizes.findIndex((_, at) => !ended.has(at));
        const there = sizes.slice(0, gap < 0 ? sizes.length : gap).reduce((sum, each) => sum + each, 0);
        expect(file.bytes).toBe(there);
        expect(heard.at(-1) ?? { bytes: 0, whole: false }).toMatchObject({ bytes: there, whole: gap < 0 });
      }
      expect(await readFile(path)).toEqual(Buffer.concat(sizes.map((size, index) => Buffer.alloc(size, index + 1))));
      expect(heard.filter(({ whole }) => whole)).toHaveLength(1);
      expect(heard.at(-1)?.ends).toEqual(
        sizes.map((_, index) => sizes.slice(0, index + 1).reduce((sum, size) => sum + size, 0)),
      );
      // The last resource has closed it.
      await expect(places[0]?.file.stat()).rejects.toMatchObject({ code: 'EBADF' });
    }),
    { seed: 5, numRuns: propertyRuns(60) },
  );
});

test('a resource that fails takes the places behind it along, and what is open is closed', async () => {
  const file = createConcatenatedFile(join(directory, 'file'), 3, () => undefined);
  const places = await Promise.all([file.take(), file.take(), file.take()]);
  places[1]?.size.resolve(4);
  places[0]?.size.reject(new Error('refused'));
  await expect(places[2]?.base).rejects.toThrow('refused');
  await file.close();
  await expect(places[0]?.file.stat()).rejects.toMatchObject({ code: 'EBADF' });
});

test.each([
  ['a symbolic link', 'symbolic link', false],
  ['a symbolic link that is gone on with', 'symbolic link', true],
  ['a FIFO', 'FIFO', false],
  ['a FIFO that is gone on with', 'FIFO', true],
] as const)('%s in place of the file is not written to', { timeout: 5_000 }, async (_name, trap, goesOn) => {
  const ground = await makeHostileFolder();
  try {
    const path = join(ground.folder, 'file');
    await ground.place(trap, path);
    const file = createConcatenatedFile(path, 1, () => undefined, goesOn);
    await expect(file.take()).rejects.toThrow(/is a symbolic link|is not a regular file/);
    await file.close();
    expect(await ground.readVictim()).toBe(untouchedContent);
  } finally {
    await ground.delete();
  }
});

test('a new file is emptied, and a resumed one keeps its content', async () => {
  const path = join(directory, 'file');
  await writeFile(path, 'from before');
  for (const [goesOn, size] of [
    [true, 11],
    [false, 0],
  ] as const) {
    const file = createConcatenatedFile(path, 1, () => undefined, goesOn);
    const place = await file.take();
    expect((await place.file.stat()).size).toBe(size);
    await file.close();
  }
});
