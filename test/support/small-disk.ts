import { execFile } from 'node:child_process';
import { mkdir, open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SIZE = '400m';
/** Bytes that a full disk still has: a job begins before it meets the end. */
const LEFT_BYTES = 150_000;
const BALLAST_PIECE = Buffer.alloc(1024 * 1024);

/** A small disk that can be filled up. */
export interface SmallDisk {
  readonly path: string;
  /** Whether it is one: without root it is a folder as any other, and cannot be filled. */
  readonly real: boolean;
  fill(): Promise<void>;
  free(): Promise<void>;
  /** Takes it away with all that is on it. */
  remove(): Promise<void>;
}

/** Mounts a small file system in memory; where that is not allowed it is a plain folder. */
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
        // Others write as well: it is full all the sooner.
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
