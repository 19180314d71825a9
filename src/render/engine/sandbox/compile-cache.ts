import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { childGroup } from './users.ts';

/** The compiled code of children (https://nodejs.org/api/module.html#module-compile-cache). */
export interface CompileCache {
  /** The folder that a child uses, and whether that child may write it. */
  folderFor(user: number | undefined): { readonly path: string; readonly writable: boolean };
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
  return {
    folderFor(user) {
      if (existsSync(kept)) return { path: kept, writable: false };
      writers += 1;
      const path = join(directory, `compiling-${writers}`);
      mkdirSync(path, { mode: 0o700 });
      if (user !== undefined) chownSync(path, user, childGroup);
      return { path, writable: true };
    },
    keep(path) {
      if (existsSync(kept)) return;
      const copy = `${path}-copy`;
      cpSync(path, copy, { recursive: true });
      readableByAll(copy);
      renameSync(copy, kept);
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
