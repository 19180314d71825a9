import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { gatherLicences } from './gather-licences.ts';
import { licenceText } from './licence-text.ts';
import { type ThirdPartyPackage, thirdPartyPackages } from './third-party-packages.ts';

const root = new URL('../../', import.meta.url);
const packages = await thirdPartyPackages(root);
const installed = packages.filter(({ folder }) => existsSync(new URL(folder, root)));

/** Those that may be passed on together with the engine, which is under the GPL, version 3: docs/licences.md. */
const compatible = [
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'GPL-3.0-or-later', 'ISC', 'MIT'],
  ...['MPL-2.0', 'Unlicense'],
];

test('every licence may be combined with that of the engine', () => {
  expect(packages.length).toBeGreaterThan(100);
  expect(packages.filter(({ licence }) => !compatible.includes(licence))).toEqual([]);
});

test('the lock file says of licences what the packages say, but for those that were looked into', async () => {
  const differing: string[] = [];
  for (const { name, licence, folder } of installed) {
    const { license } = JSON.parse(await readFile(new URL(`${folder}/package.json`, root), 'utf8'));
    if (license !== licence) differing.push(name.replace(/^(@seydx\/node-av)-.*/, '$1'));
  }
  expect(differing).toEqual(['@seydx/node-av', '@shinyoshiaki/jspack']);
});

test('the engine is built as its licence says, and of nothing that may not be handed on', async () => {
  const binary = installed.find(({ name }) => name.startsWith('@seydx/node-av-'));
  const bytes = await readFile(new URL(`${binary?.folder}/node-av.node`, root));
  expect(bytes.includes('--enable-gpl --enable-version3 ')).toBe(true);
  expect(bytes.includes('--enable-nonfree')).toBe(false);
});

test('what belongs into an image names every package that is installed, with its licence', async () => {
  const gathered = await gatherLicences(root);
  for (const { name, version, licence } of installed) expect(gathered).toContain(`\n${name} ${version} (${licence})\n`);
  const [, engine = ''] = /\n@seydx\/node-av-\S+ \S+ \(GPL-3\.0-or-later\)\n=+\n([\s\S]*?)\n=+\n/.exec(gathered) ?? [];
  expect(engine).toContain('GNU GENERAL PUBLIC LICENSE');
  expect(engine).toContain('6. Conveying Non-Source Forms.');
});

test('a package that is needed and not there is told', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-licences-'));
  try {
    const lock = { packages: { '': {}, 'node_modules/needed': { version: '1.0.0', license: 'MIT' } } };
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock));
    await expect(gatherLicences(pathToFileURL(`${folder}/`))).rejects.toThrow('needed is not installed');
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages: { 'node_modules/a': {} } }));
    await expect(thirdPartyPackages(pathToFileURL(`${folder}/`))).rejects.toThrow('a undefined names no licence');
  } finally {
    await rm(folder, { recursive: true });
  }
});

describe('the text of a package', () => {
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

  test('are its files, all of them', async () => {
    const text = await textOf({ ...files, 'LICENSE.md': 'One.\n', 'NOTICE.txt': 'Two.\n', 'index.js': '' }, 'MIT');
    expect(text).toBe('One.\n\nTwo.');
  });

  test('stands in its README', async () => {
    const section = '## License\n\nCopyright me\n\nPermission is hereby granted …';
    expect(await textOf({ ...files, 'README.md': `# It\n\n${section}\n` }, 'MIT')).toBe(section);
  });

  test('is else the one that everybody uses, with the author', async () => {
    expect(await textOf(files, 'MIT')).toMatch(
      /this is the one of MIT\.\n\nAuthor: A\. Author\n\nPermission is hereby/,
    );
  });

  test('is missing where nobody knows it', async () => {
    await expect(textOf(files, 'BSD-2-Clause')).rejects.toThrow('it has no text of its licence, BSD-2-Clause');
  });
});
