import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Maker, openMediaCache } from './cache.ts';
import type { Recipe } from './recipes.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lab-cache-'));
});
afterEach(() => rm(folder, { recursive: true }));

const part: Recipe = {
  name: 'part',
  needs: [],
  task: (_, output) => ({ do: 'encode-audio', codec: 'aac', tone: 1, output }),
};
const file = (name: string): Recipe => ({
  name,
  needs: [part],
  task: ([from = ''], output) => ({
    do: 'repeat',
    audio: { part: from, codec: 'aac' },
    seconds: 2,
    muxer: '',
    options: {},
    output,
  }),
});

/** Returns a maker that writes files with the names of their recipes. */
function recorder(): { make: Maker; recipes: string[] } {
  const recipes: string[] = [];
  return {
    recipes,
    make: async (task, directory) => {
      recipes.push(task.output);
      const from = task.do === 'repeat' ? await readFile(task.audio?.part ?? '', 'utf8') : '';
      await writeFile(path.join(directory, task.output), `${task.output} of ${from || 'nothing'}`);
    },
  };
}

test('concurrent requests for a recipe make it once, after its dependencies', async () => {
  const { make, recipes } = recorder();
  const cache = await openMediaCache(folder, undefined, make);
  const paths = await Promise.all([cache.path(file('a')), cache.path(file('a')), cache.path(file('b'))]);
  expect(await Promise.all(paths.map((each) => readFile(each, 'utf8')))).toEqual([
    'a of part of nothing',
    'a of part of nothing',
    'b of part of nothing',
  ]);
  expect(recipes.toSorted()).toEqual(['a', 'b', 'part']);
  const again = await openMediaCache(folder, undefined, make);
  await again.path(file('a'));
  expect(recipes).toHaveLength(3);
});

test('a failed task leaves no file and can be repeated', async () => {
  const { make } = recorder();
  let fail = true;
  const cache = await openMediaCache(folder, undefined, async (task, directory, signal) => {
    await make(task, directory, signal);
    if (fail) throw new Error('The disk is full.');
  });
  await expect(cache.path(file('a'))).rejects.toThrow('The disk is full.');
  expect(await readdir(path.join(folder, 'scratch'))).toEqual([]);
  fail = false;
  await expect(cache.path(file('a'))).resolves.toContain('a');
});

test('closing the cache ends the makers', async () => {
  const started = Promise.withResolvers<void>();
  const cache = await openMediaCache(folder, undefined, (_, __, signal) => {
    started.resolve();
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  const waiting = expect(cache.path(file('a'))).rejects.toThrow('The lab is closing.');
  await started.promise;
  await cache.close();
  await waiting;
  await expect(cache.path(file('b'))).rejects.toThrow('The lab is closing.');
});

test('scratch files of a killed lab are deleted, and those of a running one are not', async () => {
  const [old, fresh] = ['old', 'fresh'].map((name) => path.join(folder, 'scratch', name)) as [string, string];
  await mkdir(old, { recursive: true });
  await mkdir(fresh);
  await utimes(old, 0, 0);
  await openMediaCache(folder, undefined, recorder().make);
  expect(await readdir(path.join(folder, 'scratch'))).toEqual(['fresh']);
});

test('a cache with a limit deletes what was least recently used, and refuses what would fill half of it', async () => {
  const { make } = recorder();
  // Each file has 20 bytes, and the part has 15.
  const cache = await openMediaCache(folder, 60, make);
  const first = await cache.path(file('a'));
  await utimes(first, 1, 1);
  const second = await cache.path(file('b'));
  await utimes(second, 2, 2);
  await cache.path(file('a'));
  await cache.path(file('c'));
  expect((await readdir(path.dirname(first))).toSorted()).toEqual(['a', 'c', 'part']);
  await expect(cache.path({ ...file('d'), bytes: 31 })).rejects.toThrow('d is too large for this lab.');
});
