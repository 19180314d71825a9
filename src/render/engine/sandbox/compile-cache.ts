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
import { childGroup } from './users.ts';

/** What a child uses of the cache. */
export interface CacheFolder {
  /** For `NODE_COMPILE_CACHE`. */
  readonly path: string;
  /** Whether the child may write it. */
  readonly writable: boolean;
  /** Folders that it has to see. */
  readonly folders: readonly string[];
}

/** The compiled code of children (https://nodejs.org/api/module.html#module-compile-cache). */
export interface CompileCache {
  /** The folder of a child that runs as a user of its own, or as the service's. */
  folderFor(user: number | undefined): CacheFolder;
  /** To be called when a child that may write has loaded its code, and before it reads anything. */
  keep(path: string): void;
}

/**
 * Has the first child compile for all that follow: they read in half the time what it has compiled. A child that a file
 * has taken over must not change what others run, so they use a copy of what the first one wrote before its task.
 */
export function createCompileCache(directory: string): CompileCache {
  const kept = join(directory, 'compiled');
  let writers = 0;

  /** Node looks in a folder whose name ends with its user (`v26.10.0-x64-<hash>-<user>`), so each gets a link by its name. */
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
      cpSync(path, copy, { recursive: true });
      readableByAll(copy);
      renameSync(copy, kept);
      // The child that has written here could go on: it finds no folder any more.
      rmSync(path, { recursive: true });
    },
  };
}

/** Children may run as users of their own; only the view, which holds nothing secret, leads them here. */
function readableByAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  }
}
