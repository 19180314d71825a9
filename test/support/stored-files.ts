import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The mark of a store, which names the database that owns it. */
const MARK = 'store.json';

/** Returns the paths of job files in the folder of a store. */
export async function storedFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== MARK);
  return files.map(({ parentPath, name }) => join(parentPath, name));
}
