import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type HostileFolder,
  hostileKinds,
  makeHostileFolder,
  untouchedContent,
} from '../../files/testing/hostile-files.ts';
import { sumOf } from './arrival-sum.ts';
import type { Journal, JournalRecord } from './journal.ts';
import { openResumableFile, readResumableFile } from './resumable-file.ts';

const sum = sumOf(Buffer.from('xxxxx'));
let ground: HostileFolder;
let path: string;
beforeEach(async () => {
  ground = await makeHostileFolder();
  path = join(ground.folder, 'input-1.mp4');
});
afterEach(() => ground.delete());

function journalOf(...records: JournalRecord[]): Journal {
  return { records, append: () => undefined, clear: async () => undefined, close: async () => undefined };
}

describe.each(hostileKinds)('a %s in place of a resumable file', (trap) => {
  test('is not resumed', async () => {
    await ground.place(trap, path);
    const resumable = await readResumableFile(journalOf(['head', '"1"', 20], ['span', 0, 5, sum]), path);
    expect(resumable).toBeUndefined();
  });

  test.each([undefined, {}])('is not written to (resumable: %j)', async (resumable) => {
    await ground.place(trap, path);
    // Either a new file replaces it, or opening fails.
    const file = await openResumableFile(path, resumable).catch(() => undefined);
    await file?.write('hostile');
    await file?.close();
    expect(await ground.readVictim()).toBe(untouchedContent);
  });
});

test('resumes a resumable file, and empties a restarted one', async () => {
  await writeFile(path, 'first half');
  const file = await openResumableFile(path, {});
  expect((await file.stat()).size).toBe(10);
  await file.close();
  const restartedFile = await openResumableFile(path, undefined);
  expect((await restartedFile.stat()).size).toBe(0);
  await restartedFile.close();
});

test.each<readonly [string, readonly JournalRecord[]]>([
  ['a negative size', [['head', '"1"', -1]]],
  ['a size that is not an integer', [['head', '"1"', 1.5]]],
  ['a size larger than any file', [['head', '"1"', 1e300]]],
  ['a version that no header can contain', [['head', 'a\r\nhost: b', 20]]],
  ['a version as long as a file', [['head', 'a'.repeat(10_000), 20]]],
  [
    'a range before the first version',
    [
      ['span', 0, 5, sum],
      ['head', '"1"', 20],
    ],
  ],
  [
    'versions of different sizes',
    [
      ['head', '"1"', 20],
      ['head', '"2"', 21],
    ],
  ],
  [
    'a later version that no header can contain',
    [
      ['head', '"1"', 20],
      ['head', 'a\nb', 20],
    ],
  ],
])('ignores a journal with %s', async (_name, head) => {
  await writeFile(path, 'x'.repeat(20));
  expect(await readResumableFile(journalOf(...head, ['span', 0, 5, sum]), path)).toBeUndefined();
});

test('resumes a file that has one version at each of its links', async () => {
  await writeFile(path, 'x'.repeat(20));
  const records: JournalRecord[] = [
    ['head', '"1"', 20],
    ['span', 0, 5, sum],
    ['head', '"2"', 20],
    ['span', 5, 9, sum],
  ];
  expect(await readResumableFile(journalOf(...records), path)).toEqual({
    version: { total: 20, validators: ['"1"', '"2"'] },
    storedRanges: [
      { from: 0, end: 5, sum },
      { from: 5, end: 9, sum },
    ],
  });
});

test.each<readonly [string, JournalRecord]>([
  ['starts before the file', ['span', -5, 5, sum]],
  ['ends after the file', ['span', 0, 21, sum]],
  ['is not an integer number of bytes', ['span', 0.5, 5, sum]],
  ['ends where it begins', ['span', 5, 5, sum]],
  ['runs backwards', ['span', 7, 5, sum]],
  ['has no numbers', ['span', '0', '5', sum]],
  ['has no sum', ['span', 0, 5]],
  ['has a sum of another format', ['span', 0, 5, 'a1b2c3d4']],
])('ignores a range that %s', async (_name, span) => {
  await writeFile(path, 'x'.repeat(20));
  const resumable = await readResumableFile(journalOf(['head', '"1"', 20], span, ['span', 8, 10, sum]), path);
  expect(resumable?.storedRanges).toEqual([{ from: 8, end: 10, sum }]);
});

test('ignores a journal with ranges that overlap, because one of their sums is wrong', async () => {
  await writeFile(path, 'x'.repeat(20));
  const journal = journalOf(['head', '"1"', 20], ['span', 0, 5, sum], ['span', 4, 9, sum]);
  expect(await readResumableFile(journal, path)).toBeUndefined();
});
