import { readdir, readFile } from 'node:fs/promises';

/**
 * Returns the licences of packages whose copies are sent to browsers. The licences must accompany the copies.
 *
 * @param names Names as modules import them: `preact/hooks` is a part of `preact`.
 * @throws Error if a package has no file with its licence.
 */
export async function readLicences(names: readonly string[]): Promise<string> {
  const packages = [...new Set(names.map(packageOf))].toSorted();
  const texts = packages.map(async (name) => `${name}\n\n${await licenceOf(name)}\n`);
  return (await Promise.all(texts)).join('\n\n');
}

function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

/**
 * Reads the licence from the root of the package, which is searched for because the package's name may resolve to any
 * file below it.
 */
async function licenceOf(name: string): Promise<string> {
  const module = import.meta.resolve(name);
  const folder = `/node_modules/${name}/`;
  const place = new URL(module.slice(0, module.lastIndexOf(folder) + folder.length));
  const file = (await readdir(place)).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`The page needs the package ${name}, which has no file with its licence.`);
  return (await readFile(new URL(file, place), 'utf8')).trim();
}
