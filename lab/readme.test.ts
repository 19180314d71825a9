import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { faultTable } from './cdn/faults.ts';
import { hlsMasters, hlsPlaylists } from './cdn/hls-catalogue.ts';
import { hostileFiles } from './cdn/hostile.ts';
import { playlistOptions } from './cdn/playlist.ts';
import { fileKinds } from './media/recipes.ts';
import { heights } from './media/titles.ts';
import { scenarios } from './platforms/dailymotion/catalogue.ts';
import { facebookCatalogue } from './platforms/facebook/catalogue.ts';
import { instagramCatalogue } from './platforms/instagram/catalogue.ts';
import { pinterestCatalogue } from './platforms/pinterest/hosts.ts';
import { tiktokCatalogue } from './platforms/tiktok/hosts.ts';
import { topics } from './platforms/words.ts';
import { youtubeCatalogue } from './platforms/youtube/catalogue.ts';

test('the README names every fault, file, playlist, height and documented id', async () => {
  const readme = await readFile(new URL('README.md', import.meta.url), 'utf8');
  const numbered = /^xlabdm0(0[2-9]|1[0-8])$/;
  const names = [
    ...Object.keys(faultTable).map((name) => `\`${name}=`),
    ...Object.keys(playlistOptions).map((name) => `\`${name}=`),
    ...[fileKinds, hlsMasters, hlsPlaylists, hostileFiles].flatMap(Object.keys).map((name) => `\`${name}\``),
    ...heights.map(String),
    ...topics,
    ...[youtubeCatalogue(), instagramCatalogue(), facebookCatalogue(), tiktokCatalogue(), pinterestCatalogue()]
      .flatMap((catalogue) => Object.values(catalogue))
      .flatMap((table) => Object.keys(table).map((name) => `\`${name}\``)),
    ...Object.keys(scenarios)
      .filter((id) => !numbered.test(id))
      .map((id) => `\`${id}\``),
  ];
  expect(names.filter((name) => !readme.includes(name))).toEqual([]);
});
