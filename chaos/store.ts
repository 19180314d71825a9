import { readdir } from 'node:fs/promises';

const key = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:\._S3rver_object)?$/;

/** Looks into the folder of a store, be it the service's own or that of the S3 server (s3rver 3.7.1). */
export interface StoreFolder {
  /** Keys of the files that are there. */
  keys(): Promise<Set<string>>;
  /** How many entries there are of whatever kind: it grows as soon as a file begins to arrive. */
  entries(): Promise<number>;
}

/** Opens the folder of a store. */
export function openStoreFolder(folder: string): StoreFolder {
  const names = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  };
  return {
    keys: async () => new Set((await names()).flatMap((name) => key.exec(name)?.[1] ?? [])),
    entries: async () => (await names()).length,
  };
}
