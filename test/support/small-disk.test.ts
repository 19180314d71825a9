import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from './processes.ts';
import { mountSmallDisk } from './small-disk.ts';

test('a small disk can be filled, freed and removed', async ({ skip }) => {
  const folder = await temporaryFolder(tmpdir());
  const disk = await mountSmallDisk(join(folder.path, 'disk'));
  try {
    skip(!disk.real, 'nothing may be mounted here');
    const file = join(disk.path, 'file');
    await disk.fill();
    await expect(writeFile(file, Buffer.alloc(1_000_000))).rejects.toMatchObject({ code: 'ENOSPC' });
    await disk.free();
    await writeFile(file, Buffer.alloc(1_000_000));
  } finally {
    await disk.remove();
    await folder.delete();
  }
});
