import { readFile, writeFile } from 'node:fs/promises';
import reference from '@scalar/fastify-api-reference';
import fastify from 'fastify';
import { bundleScript } from './bundle-script.ts';
import { joinGuides } from './join-guides.ts';
import { readLicences } from './page-licences.ts';

const page = new URL('../../src/web/page/', import.meta.url);

/** Writes the files of the API reference to a folder, with an index that `src/web/assets.ts` reads. */
export async function writeReference(folder: string): Promise<void> {
  const files = {
    'scalar.js': await readScalar(),
    'reference.js': await bundleScript(new URL('reference/main.ts', page)),
    'reference.css': await readFile(new URL('reference/reference.css', page), 'utf8'),
    'icon.svg': await readFile(new URL('icon.svg', page), 'utf8'),
    'guides.md': await joinGuides(new URL('../../docs/guides/', import.meta.url)),
    'licences.txt': await readLicences(['@scalar/fastify-api-reference']),
  };
  for (const [path, content] of Object.entries(files)) await writeFile(`${folder}/${path}`, content);
  await writeFile(`${folder}/contents.json`, JSON.stringify({ files: Object.keys(files) }));
}

/** Reads Scalar's single-file browser build, which its Fastify plugin only serves. */
async function readScalar(): Promise<string> {
  const app = fastify();
  try {
    await app.register(reference, { routePrefix: '/', configuration: { content: {} } });
    return (await app.inject('/js/scalar.js')).body;
  } finally {
    await app.close();
  }
}
