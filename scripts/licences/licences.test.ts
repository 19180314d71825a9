/** @module-tag long */

import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { gatherLicences } from './gather-licences.ts';
import { licenceText } from './licence-text.ts';
import { distributedPackages, type ThirdPartyPackage } from './third-party-packages.ts';

const root = new URL('../../', import.meta.url);
const packages = await distributedPackages(root);
const installed = packages.filter(({ folder }) => existsSync(new URL(folder, root)));

/**
 * Licences that may be distributed together with the engine, which is under the GPL, version 3:
 * docs/reference/licences.md.
 */
const compatible = [
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'GPL-3.0-or-later', 'ISC', 'MIT'],
  ...['MPL-2.0', 'Unlicense'],
];

test('every licence is compatible with that of the engine', () => {
  expect(packages.length).toBeGreaterThan(100);
  expect(packages.filter(({ licence }) => !compatible.includes(licence))).toEqual([]);
});

test('the lock file declares the same licences as the packages, except for those that were checked by hand', async () => {
  const differing: string[] = [];
  for (const { name, licence, folder } of installed) {
    const { license } = JSON.parse(await readFile(new URL(`${folder}/package.json`, root), 'utf8'));
    if (license !== licence) differing.push(name.replace(/^(@seydx\/node-av)-.*/, '$1'));
  }
  expect(differing).toEqual(['@seydx/node-av']);
});

test('the engine is built under its licence and without nonfree parts', async () => {
  const binary = installed.find(({ name }) => name.startsWith('@seydx/node-av-'));
  const bytes = await readFile(new URL(`${binary?.folder}/node-av.node`, root));
  expect(bytes.includes('--enable-gpl --enable-version3 ')).toBe(true);
  expect(bytes.includes('--enable-nonfree')).toBe(false);
});

test('the licences of an image include every installed package with its licence', async () => {
  const gathered = await gatherLicences(root);
  for (const { name, version, licence } of installed) expect(gathered).toContain(`\n${name} ${version} (${licence})\n`);
  const [, engine = ''] = /\n@seydx\/node-av-\S+ \S+ \(GPL-3\.0-or-later\)\n=+\n([\s\S]*?)\n=+\n/.exec(gathered) ?? [];
  expect(engine).toContain('GNU GENERAL PUBLIC LICENSE');
  expect(engine).toContain('6. Conveying Non-Source Forms.');
});

test('a missing required package and a package without a licence are reported', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-licences-'));
  try {
    const lock = { packages: { '': {}, 'node_modules/needed': { version: '1.0.0', license: 'MIT' } } };
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock));
    await expect(gatherLicences(pathToFileURL(`${folder}/`))).rejects.toThrow('needed is not installed');
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages: { 'node_modules/a': {} } }));
    await expect(distributedPackages(pathToFileURL(`${folder}/`))).rejects.toThrow('a undefined declares no licence');
  } finally {
    await rm(folder, { recursive: true });
  }
});

describe('the licence text of a package', () => {
  const files = {
    'package.json': JSON.stringify({ author: { name: 'A. Author' } }),
    'README.md': '# It\n\n## License\n\nMIT\n',
  };
  const textOf = async (content: Readonly<Record<string, string>>, licence: string): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'millrace-licences-'));
    const one: ThirdPartyPackage = { name: 'it', version: '1.0.0', licence, optional: false, folder: '.' };
    try {
      for (const [name, text] of Object.entries(content)) await writeFile(join(folder, name), text);
      return await licenceText(pathToFileURL(`${folder}/`), one);
    } finally {
      await rm(folder, { recursive: true });
    }
  };

  test('consists of all its licence files', async () => {
    const text = await textOf({ ...files, 'LICENSE.md': 'One.\n', 'NOTICE.txt': 'Two.\n', 'index.js': '' }, 'MIT');
    expect(text).toBe('One.\n\nTwo.');
  });

  test('is a section of its README if there is no licence file', async () => {
    const section = '## License\n\nCopyright me\n\nPermission is hereby granted …';
    expect(await textOf({ ...files, 'README.md': `# It\n\n${section}\n` }, 'MIT')).toBe(section);
  });

  test('is otherwise the standard text, with the author', async () => {
    expect(await textOf(files, 'MIT')).toMatch(
      /This is the standard text of MIT\.\n\nAuthor: A\. Author\n\nPermission is hereby/,
    );
  });

  test('is reported as missing if there is no standard text', async () => {
    await expect(textOf(files, 'BSD-2-Clause')).rejects.toThrow('it contains no text of its licence, BSD-2-Clause');
  });
});
