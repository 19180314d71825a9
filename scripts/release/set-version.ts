import { readFile, writeFile } from 'node:fs/promises';
import { releaseChanges } from './changelog.ts';
import { replaceVersion, setManifestVersion, versionPlaces } from './version-places.ts';

/**
 * Sets the version of a release in all places, and gives the changes in CHANGELOG.md a heading with today's date:
 *
 *     node scripts/release/set-version.ts 0.3.0
 */
const root = new URL('../../', import.meta.url);
const [version = ''] = process.argv.slice(2);
if (!/^\d{1,9}\.\d{1,9}\.\d{1,9}$/.test(version)) throw new Error('Usage: node scripts/release/set-version.ts 0.3.0');

async function change(path: string, changed: (text: string) => string): Promise<void> {
  const file = new URL(path, root);
  await writeFile(file, changed(await readFile(file, 'utf8')));
}

const { version: before } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as { version: string };
const today = new Date().toISOString().slice(0, 10);
// First, because it fails if the version exists.
await change('CHANGELOG.md', (text) => releaseChanges(text, version, today));
if (before !== version) {
  for (const place of versionPlaces) await change(place.file, (text) => replaceVersion(text, place, before, version));
  for (const path of ['package.json', 'packages/client/package.json', 'package-lock.json']) {
    await change(path, (text) => setManifestVersion(text, version));
  }
}
