import { glob, mkdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder that is made from files. */
interface DerivedFolder {
  readonly folder: string;
  /** What it is made from: patterns of paths below `root`. */
  readonly sources: readonly string[];
  readonly root: string;
  /** Writes what belongs into the folder to an empty one. */
  readonly make: (fresh: string) => Promise<void>;
}

/** Written last; its time is when the folder's making began. */
const stamp = 'built';

/** How often another process may put the folder in place first. */
const attempts = 10;

/**
 * Makes a folder again if a source is newer. It is replaced whole, or stays as it was: nobody finds half of it, and several
 * processes may do this at the same time.
 *
 * @throws whatever `make` throws, and errors of the file system.
 */
export async function keepCurrent({ folder, sources, root, make }: DerivedFolder): Promise<void> {
  if ((await newestModification(sources, root)) < (await modifiedAt(join(folder, stamp)))) return;
  const started = new Date();
  const fresh = `${folder}.${process.pid}`;
  const old = `${fresh}.old`;
  try {
    // An interrupted process may have had this one's number.
    await rm(fresh, { recursive: true, force: true });
    await mkdir(fresh);
    await make(fresh);
    await writeFile(join(fresh, stamp), '');
    // What changes while it is made makes it outdated.
    await utimes(join(fresh, stamp), started, started);
    await replace(folder, fresh, old);
  } finally {
    for (const path of [fresh, old]) await rm(path, { recursive: true, force: true });
  }
}

async function replace(folder: string, fresh: string, old: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await rename(folder, old).catch(ifMissing);
    try {
      return await rename(fresh, folder);
    } catch (error) {
      // Another process has put its own in place since.
      if (attempt === attempts || !['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(codeOf(error))) throw error;
      await rm(old, { recursive: true, force: true });
    }
  }
}

async function newestModification(patterns: readonly string[], cwd: string): Promise<number> {
  let time = 0;
  for await (const path of glob(patterns, { cwd })) time = Math.max(time, await modifiedAt(join(cwd, path)));
  return time;
}

async function modifiedAt(path: string): Promise<number> {
  return (await stat(path).catch(ifMissing))?.mtimeMs ?? 0;
}

function ifMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
