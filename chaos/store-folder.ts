import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

/** The kinds of store for the service's files. */
export const storeKinds = ['disk', 's3'] as const;

/** One of {@link storeKinds}. */
export type StoreKind = (typeof storeKinds)[number];

const keyPattern = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:\._S3rver_object)?$/;

/** Two days. */
const AGE_S = 172_800;

/** Access to the folder of a store: the service's own, or that of the S3 server (s3rver 3.7.1). */
export interface StoreFolder {
  /** Returns the keys of all files. */
  keys(): Promise<Set<string>>;
  /** Returns the path of a file; undefined if it does not exist. */
  find(keyPattern: string): Promise<string | undefined>;
  /** Returns the number of all entries, which grows as soon as the first bytes of a file arrive. */
  entries(): Promise<number>;
  /** Makes files old enough for reconciliation. */
  age(keys: ReadonlySet<string>): Promise<void>;
  /** Replaces the folder by an empty one, as a lost mount does. */
  hide(): Promise<void>;
  /** Restores the folder if it is hidden. */
  restore(): Promise<void>;
}

/** Opens the folder of a store. */
export function openStoreFolder(folder: string): StoreFolder {
  const hiddenFolder = `${folder}.hidden`;
  const files = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile());
  };
  const names = async () => (await files()).map(({ name }) => name);
  return {
    keys: async () => new Set((await names()).flatMap((name) => keyPattern.exec(name)?.[1] ?? [])),
    async find(requestedKey) {
      const entry = (await files()).find(({ name }) => keyPattern.exec(name)?.[1] === requestedKey);
      return entry && join(entry.parentPath, entry.name);
    },
    entries: async () => (await names()).length,
    async age(keys) {
      const then = Date.now() / 1000 - AGE_S;
      for (const { parentPath, name } of await files()) {
        if (keys.has(keyPattern.exec(name)?.[1] ?? '')) await utimes(join(parentPath, name), then, then);
      }
    },
    async hide() {
      await rename(folder, hiddenFolder);
      await mkdir(folder);
    },
    async restore() {
      const isHidden = await stat(hiddenFolder).then(
        () => true,
        () => false,
      );
      if (!isHidden) return;
      await rm(folder, { recursive: true });
      await rename(hiddenFolder, folder);
    },
  };
}
