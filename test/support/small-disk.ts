import { execFile } from 'node:child_process';
import { mkdir, open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SIZE = '400m';
/** Free bytes of a full disk, so that a job can begin before the space runs out. */
const LEFT_BYTES = 150_000;
const BALLAST_PIECE = Buffer.alloc(1024 * 1024);

/** A small disk that can be filled up. */
export interface SmallDisk {
  readonly path: string;
  /** Whether it is a real disk: without root it is an ordinary folder, and cannot be filled. */
  readonly real: boolean;
  fill(): Promise<void>;
  free(): Promise<void>;
  /** Removes the disk with its content. */
  remove(): Promise<void>;
}

/** Mounts a small file system in memory, or creates an ordinary folder if that is not allowed. */
export async function mountSmallDisk(path: string): Promise<SmallDisk> {
  await mkdir(path, { recursive: true });
  const real = await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=0755`, 'tmpfs', path]).then(
    () => true,
    () => false,
  );
  const ballast = join(path, 'ballast');
  return {
    path,
    real,
    async fill() {
      const { bavail, bsize } = await statfs(path);
      const file = await open(ballast, 'w');
      try {
        for (let left = bavail * bsize - LEFT_BYTES; left > 0; left -= BALLAST_PIECE.length) {
          await file.write(BALLAST_PIECE, 0, Math.min(left, BALLAST_PIECE.length));
        }
      } catch (error) {
        // Other processes write as well: the disk fills up sooner.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      } finally {
        await file.close();
      }
    },
    free: () => rm(ballast, { force: true }),
    async remove() {
      // Lazily: a child that is just ending may still have a file open.
      if (real) await run('umount', ['-l', path]);
      await rm(path, { recursive: true, force: true });
    },
  };
}
