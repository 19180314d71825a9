import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { brotliCompressSync, constants } from 'node:zlib';

const MAX_BUFFER_BYTES = 1_000_000_000;

/** Packs a folder into a tar archive, compressed with Brotli. */
export async function packFolder(folder: string, target: string): Promise<void> {
  const options = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--format=posix', '--sparse'];
  const tar = execFileSync('tar', ['-c', ...options, '-C', folder, '.'], { maxBuffer: MAX_BUFFER_BYTES });
  await writeFile(target, compress(tar));
}

/** Writes a database as SQL statements, compressed with Brotli. */
export async function dumpDatabase(url: string, target: string): Promise<void> {
  // Inserts can be run by any client.
  const options = ['--no-owner', '--no-privileges', '--inserts'];
  await writeFile(target, compress(execFileSync('pg_dump', [...options, url], { maxBuffer: MAX_BUFFER_BYTES })));
}

function compress(bytes: Buffer): Buffer {
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}
