import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../', import.meta.url);
const textOf = (file: string) => readFileSync(new URL(file, root), 'utf8');
const { version } = JSON.parse(textOf('package.json')) as { readonly version: string };

test('the packages and the lock file have the same version', () => {
  const { packages } = JSON.parse(textOf('package-lock.json')) as {
    readonly packages: Readonly<Record<string, { readonly version: string }>>;
  };
  const client = JSON.parse(textOf('packages/client/package.json')) as { readonly version: string };
  expect([client.version, packages['']?.version, packages['packages/client']?.version]).toEqual(Array(3).fill(version));
});

test('the files for deployments and the guides name that version', () => {
  const files = globSync(['deploy/**/*.{yaml,yml,md,sh}', 'deploy/Dockerfile', 'docs/how-to/use-the-client.md'], {
    cwd: root,
  });
  const named = files.flatMap((file) =>
    [...textOf(file).matchAll(/\b(?:millrace:|millrace-client-|newTag: )(\d+\.\d+\.\d+)/g)].map(
      ([, tag]) => `${file}: ${tag}`,
    ),
  );
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((each) => !each.endsWith(`: ${version}`))).toEqual([]);
  expect(textOf('docs/reference/extraction-api.md')).toContain(`"version": "${version}"`);
});

test('the newest release in the changelog is that version, or an older one while its changes are unreleased', () => {
  const headings = [...textOf('CHANGELOG.md').matchAll(/^## \[(.+?)\]/gm)].map(([, name = '']) => name);
  const [newest = ''] = headings.filter((name) => name !== 'Unreleased');
  expect([newest, version].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)).toBe(version);
  if (!headings.includes('Unreleased')) expect(newest).toBe(version);
});
