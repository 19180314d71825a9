import { lstat, readdir } from 'node:fs/promises';

/** Returns the size of all files below a folder, in bytes, as in a layer of an image. */
export async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  const sizes = await Promise.all(files.map(async (file) => (await lstat(`${file.parentPath}/${file.name}`)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
