import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readLicences } from './page-licences.ts';
import { isOwnName, readModules } from './page-modules.ts';

const page = new URL('../../src/web/page/', import.meta.url);

/** Parts of the page's style sheet, in order. */
const styles = ['base', 'frame', 'result', 'lists', 'downloads', 'about'];

/** Writes the page's files to a folder, with an index that `src/web/assets.ts` reads. */
export async function writePage(folder: string): Promise<void> {
  const { modules, pathsByName } = await readModules(new URL('main.ts', page));
  const style = await Promise.all(styles.map((name) => readFile(new URL(`style/${name}.css`, page), 'utf8')));
  const texts: [path: string, text: string][] = [
    ...modules.map(({ path, code }): [string, string] => [path, code]),
    ['page.css', style.join('')],
    ['icon.svg', await readFile(new URL('icon.svg', page), 'utf8')],
    ['licences.txt', await readLicences([...pathsByName.keys()].filter((name) => !isOwnName(name)))],
  ];
  for (const [path, text] of texts) {
    await mkdir(dirname(`${folder}/${path}`), { recursive: true });
    await writeFile(`${folder}/${path}`, text);
  }
  const contents = {
    files: texts.map(([path]) => path),
    entry: 'src/web/page/main.ts',
    preloads: modules.filter(({ lazy }) => !lazy).map(({ path }) => path),
    named: Object.fromEntries(pathsByName),
  };
  await writeFile(`${folder}/contents.json`, JSON.stringify(contents));
}
