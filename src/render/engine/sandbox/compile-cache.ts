import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { isDiskFull } from '../disk-full.ts';
import { childGroup } from './users.ts';

/** The cache folder of one child. */
export interface CacheFolder {
  /** Value of `NODE_COMPILE_CACHE`. */
  readonly path: string;
  /** Whether the child may write it. */
  readonly writable: boolean;
  /** Folders that must be visible to the child. */
  readonly folders: readonly string[];
}

/** The compiled code of children (https://nodejs.org/api/module.html#module-compile-cache). */
export interface CompileCache {
  /** The folder of a child that runs as its own user, or as the service's if undefined. */
  folderFor(user: number | undefined): CacheFolder;
  /** Call it when a child that may write has loaded its code, before it reads anything. */
  keep(path: string): void;
}

/**
 * Creates the cache. The first child compiles for all later ones, which then load in half the time. A compromised child
 * must not change code that others run, so later children use a copy that is made before the first child gets a task.
 */
export function createCompileCache(directory: string): CompileCache {
  const kept = join(directory, 'compiled');
  let writers = 0;

  /** Node uses a folder whose name ends with its user (`v26.10.0-x64-<hash>-<user>`), so each user gets a link by that name. */
  function keptFor(user: number | undefined): CacheFolder {
    if (user === undefined) return { path: kept, writable: false, folders: [kept] };
    const path = join(directory, `compiled-for-${user}`);
    if (!existsSync(path)) {
      mkdirSync(path);
      for (const name of readdirSync(kept))
        symlinkSync(join(kept, name), join(path, `${name.slice(0, name.lastIndexOf('-'))}-${user}`));
      chmodSync(path, 0o755);
    }
    return { path, writable: false, folders: [path, kept] };
  }

  return {
    folderFor(user) {
      if (existsSync(kept)) return keptFor(user);
      writers += 1;
      const path = join(directory, `compiling-${writers}`);
      mkdirSync(path, { mode: 0o700 });
      if (user !== undefined) chownSync(path, user, childGroup);
      return { path, writable: true, folders: [path] };
    },
    keep(path) {
      if (existsSync(kept)) return;
      const copy = `${path}-copy`;
      try {
        cpSync(path, copy, { recursive: true });
        readableByAll(copy);
        renameSync(copy, kept);
      } catch (error) {
        // The next child that may write tries again.
        rmSync(copy, { recursive: true, force: true });
        if (isDiskFull(error)) return;
        throw error;
      }
      // Otherwise the child that wrote here could go on writing.
      rmSync(path, { recursive: true });
    },
  };
}

/** Lets children that run as their own users read the cache. It contains nothing secret. */
function readableByAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  }
}
