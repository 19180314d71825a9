import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { faultTable } from './cdn/faults.ts';
import { hlsMasters, hlsPlaylists } from './cdn/hls-catalogue.ts';
import { hostileFiles } from './cdn/hostile.ts';
import { playlistOptions } from './cdn/playlist.ts';
import { behaviourOptions, behaviours } from './links/behaviours.ts';
import { fileKinds } from './media/recipes.ts';
import { heights } from './media/titles.ts';
import { topics } from './platforms/headlines.ts';
import { platforms } from './platforms/platforms.ts';

test('the README names every fault, file, playlist, height, drift, behaviour and documented ID', async () => {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  let readme = '';
  for await (const file of glob('{.,cdn,platforms/*}/README.md', { cwd: folder })) {
    readme += await readFile(join(folder, file), 'utf8');
  }
  const numbered = /^xlabdm0(0[2-9]|1[0-8])$/;
  const names = [
    ...Object.keys(faultTable).map((name) => `\`${name}=`),
    ...Object.keys(playlistOptions).map((name) => `\`${name}=`),
    ...[fileKinds, hlsMasters, hlsPlaylists, hostileFiles].flatMap(Object.keys).map((name) => `\`${name}\``),
    ...[behaviours, behaviourOptions].flatMap(Object.keys).map((name) => `\`${name}\``),
    ...heights.map(String),
    ...topics,
    ...platforms.flatMap(({ drifts }) => Object.keys(drifts)).map((name) => `\`${name}\``),
    ...platforms
      .flatMap((platform) => Object.entries(platform.catalogue()))
      // A value is either a separate table, or one entry of the platform's only table.
      .flatMap(([name, value]) => (typeof value === 'object' ? Object.keys(value ?? {}) : name))
      .filter((name) => !numbered.test(name))
      .map((name) => `\`${name}\``),
  ];
  expect(names.filter((name) => !readme.includes(name))).toEqual([]);
});
