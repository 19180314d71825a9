import { glob, mkdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder that is built from files. */
interface DerivedFolder {
  readonly folder: string;
  /** Sources of the folder: patterns of paths below `root`. */
  readonly sources: readonly string[];
  readonly root: string;
  /** Writes the content of the folder to an empty folder. */
  readonly make: (fresh: string) => Promise<void>;
}

/** Name of the file that is written last. Its modification time is the start of the build. */
const stamp = 'built';

/** Maximum number of attempts, if other processes put the folder in place first. */
const attempts = 10;

/**
 * Rebuilds a folder if a source is newer. The folder is replaced as a whole or not at all, so a partial folder is never
 * visible. Several processes may do this concurrently.
 *
 * @throws All errors of `make`, and errors of the file system.
 */
export async function keepCurrent({ folder, sources, root, make }: DerivedFolder): Promise<void> {
  if ((await newestModification(sources, root)) < (await modifiedAt(join(folder, stamp)))) return;
  const started = new Date();
  const fresh = `${folder}.${process.pid}`;
  const old = `${fresh}.old`;
  try {
    // An interrupted process may have had the same process ID.
    await rm(fresh, { recursive: true, force: true });
    await mkdir(fresh);
    await make(fresh);
    await writeFile(join(fresh, stamp), '');
    // A source that changes during the build makes the folder outdated.
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
      // Another process has put its own folder in place in the meantime.
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
