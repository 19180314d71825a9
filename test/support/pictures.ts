import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Picture } from '../../lab/media/testing/read.ts';
import { read } from '../../lab/media/testing/reader.ts';

/**
 * Decodes the video of a file. Returns its pictures in the order in which they are displayed.
 *
 * @throws Error if the decoder reports a problem.
 */
export async function picturesOf(file: Buffer): Promise<readonly Picture[]> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-pictures-'));
  try {
    const path = join(folder, 'file');
    await writeFile(path, file);
    const streams = await read(path);
    return streams.find(({ kind }) => kind === 'video')?.pictures ?? [];
  } finally {
    await rm(folder, { recursive: true });
  }
}
