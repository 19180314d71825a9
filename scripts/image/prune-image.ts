import { readdir, rm, rmdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Lock, loadedPackages } from './loaded-packages.ts';

/** Files that only debuggers and compilers read. */
const unread = /\.(?:map|d\.[cm]?ts)$/;

/**
 * Removes from the `node_modules` of an image what the service does not load: packages whose code is in `dist`, the
 * package of Node, the programs in `.bin`, source maps and type declarations.
 */
export async function pruneImage(root: URL, lock: Lock): Promise<void> {
  const base = fileURLToPath(root);
  await prune(base, 'node_modules', loadedPackages(lock));
}

/** Prunes one `node_modules` folder, whose path is relative to `base`. */
async function prune(base: string, folder: string, loaded: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(`${base}${folder}`)) {
    const path = `${folder}/${name}`;
    if (name.startsWith('@')) {
      await prune(base, path, loaded);
      if ((await readdir(`${base}${path}`)).length === 0) await rmdir(`${base}${path}`);
    } else if (loaded.has(path)) {
      await pruneFiles(base, path, loaded);
    } else {
      await rm(`${base}${path}`, { recursive: true });
    }
  }
}

async function pruneFiles(base: string, folder: string, loaded: ReadonlySet<string>): Promise<void> {
  for (const entry of await readdir(`${base}${folder}`, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.name === 'node_modules') await prune(base, path, loaded);
    else if (entry.isDirectory()) await pruneFiles(base, path, loaded);
    else if (unread.test(entry.name)) await rm(`${base}${path}`);
  }
}
