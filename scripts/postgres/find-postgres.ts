import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Below it Debian keeps a folder for each version, which it leaves out of PATH. */
const DEBIAN_FOLDER = '/usr/lib/postgresql';

/** The folder with the programs of a PostgreSQL server: of PATH, else the newest of Debian's; undefined without any. */
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
