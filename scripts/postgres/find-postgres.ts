import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Debian's folder with one subfolder for each version. Debian does not add them to PATH. */
const DEBIAN_FOLDER = '/usr/lib/postgresql';

/**
 * Returns the folder with the programs of a PostgreSQL server: from PATH, or otherwise Debian's newest version. Returns
 * undefined if there is no server.
 */
export async function findPostgres(
  path: string = process.env.PATH ?? '',
  debianFolder: string = DEBIAN_FOLDER,
): Promise<string | undefined> {
  const versions = await readdir(debianFolder).catch(() => []);
  const newestFirst = versions.toSorted((one, other) => Number(other) - Number(one));
  const folders = [
    ...path.split(delimiter).filter((folder) => folder !== ''),
    ...newestFirst.map((version) => join(debianFolder, version, 'bin')),
  ];
  for (const folder of folders) {
    if ((await isProgram(join(folder, 'initdb'))) && (await isProgram(join(folder, 'postgres')))) return folder;
  }
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
