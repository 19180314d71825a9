import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const key = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:\._S3rver_object)?$/;

/** Looks into the folder of a store, be it the service's own or that of the S3 server (s3rver 3.7.1). */
export interface StoreFolder {
  /** Keys of the files that are there. */
  keys(): Promise<Set<string>>;
  /** The path of a file; undefined if there is no such file. */
  find(key: string): Promise<string | undefined>;
  /** How many entries there are of whatever kind: it grows as soon as a file begins to arrive. */
  entries(): Promise<number>;
}

/** Opens the folder of a store. */
export function openStoreFolder(folder: string): StoreFolder {
  const files = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile());
  };
  const names = async () => (await files()).map(({ name }) => name);
  return {
    keys: async () => new Set((await names()).flatMap((name) => key.exec(name)?.[1] ?? [])),
    async find(wanted) {
      const entry = (await files()).find(({ name }) => key.exec(name)?.[1] === wanted);
      return entry && join(entry.parentPath, entry.name);
    },
    entries: async () => (await names()).length,
  };
}
