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
  // VACUUM has removed the first one.
  [['0001'], 0x1fffffn, undefined],
  [['000A'], 0xa00000n, undefined],
  // After four thousand million transactions the names begin again.
  [['0000'], 0x1_0000_0003n, undefined],
])('of the states of transactions in %s, those of %i are needed', async (segments, lastTransaction, lack) => {
  expect(await findMissingFile(await folderWith(segments), { cleanShutdown: true, lastTransaction })).toBe(lack);
});

test('without a control file the engine refuses by itself', async () => {
  expect(await findMissingFile(await folderWith([]), undefined)).toBeUndefined();
});
