import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { bundlePage } from './bundle-page.ts';
import { bundleScript } from './bundle-script.ts';
import { readLicences } from './page-licences.ts';

const page = new URL('../../src/web/page/', import.meta.url);

/** Parts of the page's style sheet, in order. */
const styles = [
  'base',
  'controls',
  'frame',
  'home',
  'query',
  'result',
  'tools',
  'lists',
  'collection',
  'downloads',
  'problems',
  'about',
];

/** Writes the page's files to a folder, with an index that `src/web/assets.ts` reads. */
export async function writePage(folder: string): Promise<void> {
  const { scripts, entry, preloads, packages } = await bundlePage(new URL('main.ts', page));
  const style = await Promise.all(styles.map((name) => readFile(new URL(`style/${name}.css`, page), 'utf8')));
  const files: [path: string, content: string | Buffer][] = [
    ...scripts.map(({ path, code }): [string, string] => [path, code]),
    ['page.css', style.join('')],
    ['icon.svg', await readFile(new URL('icon.svg', page), 'utf8')],
    ...(await readIcons()),
    ['licences.txt', await readLicences(packages)],
  ];
  for (const [path, content] of files) {
    await mkdir(dirname(`${folder}/${path}`), { recursive: true });
    await writeFile(`${folder}/${path}`, content);
  }
  await writeFile(`${folder}/service-worker.js`, await bundleScript(new URL('app/worker/service-worker.ts', page)));
  const contents = {
    files: files.map(([path]) => path),
    entry,
    scripts: scripts.map(({ path }) => path),
    preloads,
  };
  await writeFile(`${folder}/contents.json`, JSON.stringify(contents));
}

/** Reads the icons of the installed page, which `scripts/page-icons.ts` draws. */
async function readIcons(): Promise<[path: string, content: Buffer][]> {
  const folder = new URL('app/icons/', page);
  const names = (await readdir(folder)).toSorted();
  return await Promise.all(
    names.map(async (name): Promise<[string, Buffer]> => [`icons/${name}`, await readFile(new URL(name, folder))]),
  );
}
