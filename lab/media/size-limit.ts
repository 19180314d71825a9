import { readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';

/** Limit of the size of a cache on disk. Its files may be those of several labs. */
interface SizeLimit {
  /** Marks an entry as the most recently used one. */
  used(entry: string): Promise<void>;
  /** Counts a new entry, and enforces the limit after every twentieth of it. */
  added(entry: string): Promise<void>;
  /** Deletes the least recently used entries until the others are within the limit. */
  enforce(): Promise<void>;
}

interface Entry {
  readonly path: string;
  readonly bytes: number;
  /** Time of its last use in milliseconds. */
  readonly usedAt: number;
}

/** Limits the files and folders in the `v…` folders of a cache, which are those of all versions of the recipes. */
export function createSizeLimit(directory: string, limit: number): SizeLimit {
  if (limit === Number.POSITIVE_INFINITY) return { used: nothing, added: nothing, enforce: nothing };
  let unchecked = 0;
  const enforce = async () => {
    unchecked = 0;
    const entries = (await entriesOf(directory)).toSorted((a, b) => b.usedAt - a.usedAt);
    let total = 0;
    for (const { path: entry, bytes } of entries) {
      total += bytes;
      if (total > limit) await rm(entry, { recursive: true, force: true });
    }
  };
  return {
    // Another lab may just have deleted it.
    used: (entry) => utimes(entry, new Date(), new Date()).catch(ifMissing),
    async added(entry) {
      unchecked += (await entryAt(entry))?.bytes ?? 0;
      if (unchecked > limit / 20) await enforce();
    },
    enforce,
  };
}

async function nothing(): Promise<void> {
  // An unlimited cache needs no bookkeeping.
}

async function entriesOf(directory: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const version of await readdir(directory)) {
    if (!/^v\d+$/.test(version)) continue;
    for (const name of await readdir(path.join(directory, version))) {
      const entry = await entryAt(path.join(directory, version, name));
      if (entry !== undefined) entries.push(entry);
    }
  }
  return entries;
}

async function entryAt(entry: string): Promise<Entry | undefined> {
  const stats = await stat(entry).catch(ifMissing);
  if (stats === undefined) return undefined;
  const names = stats.isDirectory() ? await readdir(entry).catch(ifMissing) : [];
  const parts = await Promise.all((names ?? []).map((name) => stat(path.join(entry, name)).catch(ifMissing)));
  const bytes = parts.reduce((sum, part) => sum + (part?.size ?? 0), stats.size);
  return { path: entry, bytes, usedAt: stats.mtimeMs };
}

function ifMissing(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
