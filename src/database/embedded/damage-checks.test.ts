import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findMissingFile } from './damage-checks.ts';

/** A folder with the states of some transactions. */
async function folderWith(segments: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-damage-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'pg_xact'));
  await writeFile(join(folder, 'PG_VERSION'), '18\n');
  for (const name of segments) await writeFile(join(folder, 'pg_xact', name), 'x');
  return folder;
}

test.each([
  [['0000'], 3n, undefined],
  [['0000'], 0xfffffn, undefined],
  [['0000'], 0x100000n, 'pg_xact/0001 is missing'],
  // VACUUM has removed the first file.
  [['0001'], 0x1fffffn, undefined],
  [['000A'], 0xa00000n, undefined],
  // After 2³² transactions, the file names start again from 0000.
  [['0000'], 0x1_0000_0003n, undefined],
])(
  'findMissingFile finds the file that is missing among the transaction states %s if the last transaction is %i',
  async (segments, lastTransaction, lack) => {
    expect(await findMissingFile(await folderWith(segments), { cleanShutdown: true, lastTransaction })).toBe(lack);
  },
);

test('findMissingFile leaves a missing control file to the engine, which rejects it', async () => {
  expect(await findMissingFile(await folderWith([]), undefined)).toBeUndefined();
});
