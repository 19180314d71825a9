import { readdir, readFile } from 'node:fs/promises';

/**
 * The licences of packages that browsers are sent copies of: these must go along with the copies.
 *
 * @param names As modules import them: `preact/hooks` is a part of `preact`.
 * @throws Error when a package has no file with its licence.
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

/** It lies at the root of the package, whatever file its name leads to. */
async function licenceOf(name: string): Promise<string> {
  const module = import.meta.resolve(name);
  const folder = `/node_modules/${name}/`;
  const place = new URL(module.slice(0, module.lastIndexOf(folder) + folder.length));
  const file = (await readdir(place)).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`The package ${name}, which the page needs, has no file with its licence.`);
  return (await readFile(new URL(file, place), 'utf8')).trim();
}
