import { readdir, readFile } from 'node:fs/promises';

/**
 * Returns the licences of packages whose copies are sent to browsers. The licences must accompany the copies.
 *
 * @throws Error if a package has no file with its licence.
 */
export async function readLicences(packages: readonly string[]): Promise<string> {
  const texts = packages.toSorted().map(async (name) => `${name}\n\n${await licenceOf(name)}\n`);
  return (await Promise.all(texts)).join('\n\n');
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
