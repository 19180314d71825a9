import { describe, expect, test } from 'vitest';
import { parsePlaylist } from '../../hls/testing/parse-playlist.ts';
import { chooseRenditions } from './choose-renditions.ts';

const site = 'https://site.example';

/**
 * Returns the renditions chosen for the first variant of a playlist with these lines: the path of its audio playlist,
 * and the names of skipped renditions.
 */
function choose(media: readonly string[], attributes = '', language?: string) {
  const lines = ['#EXTM3U', ...media.map((list) => `#EXT-X-MEDIA:${list}`)];
  const playlist = parsePlaylist(
    [...lines, `#EXT-X-STREAM-INF:BANDWIDTH=1${attributes}`, '/best'].join('\n'),
    `${site}/master`,
  );
  if (playlist.kind !== 'master') throw new Error('the playlist is no master');
  const [variant] = playlist.variants;
  if (variant === undefined) throw new Error('the playlist has no variant');
  const { audioUrl, skippedRenditions } = chooseRenditions(playlist, variant, language);
  return { audioUrl: audioUrl?.slice(site.length), skippedRenditions: skippedRenditions.map(({ name }) => name) };
}

const audio = (group: string, name: string, more: string) => `TYPE=AUDIO,GROUP-ID="${group}",NAME="${name}"${more}`;

describe('audio', () => {
  const group = [
    audio('a', 'English', ',LANGUAGE="en",URI="/en"'),
    audio('a', 'Deutsch', ',LANGUAGE="de",DEFAULT=YES,URI="/de"'),
    audio('a', 'Director', ',LANGUAGE="de",URI="/director"'),
  ];

  test("is the default of the variant's group; the others in the group are skipped", () => {
    expect(choose(group, ',AUDIO="a"')).toEqual({ audioUrl: '/de', skippedRenditions: ['English', 'Director'] });
  });

  test("is that in the input's language, if the group has it", () => {
    expect(choose(group, ',AUDIO="a"', 'en')).toEqual({ audioUrl: '/en', skippedRenditions: ['Deutsch', 'Director'] });
    expect(choose(group, ',AUDIO="a"', 'de').audioUrl).toBe('/de');
    expect(choose(group, ',AUDIO="a"', 'fr').audioUrl).toBe('/de');
  });

  test("in other groups is skipped if its language is not in the variant's group", () => {
    const other = [
      audio('b', 'English, low', ',LANGUAGE="en",URI="/b-en"'),
      audio('b', 'Low', ',URI="/b"'),
      audio('b', 'Italiano', ',LANGUAGE="it",URI="/b-it"'),
      audio('c', 'Italiano, low', ',LANGUAGE="it",URI="/c-it"'),
    ];
    expect(choose([...other, ...group], ',AUDIO="a"').skippedRenditions).toEqual(['English', 'Director', 'Italiano']);
  });

  test('inside the variant is not skipped', () => {
    const inside = [
      audio('a', 'English', ',LANGUAGE="en",DEFAULT=YES'),
      audio('a', 'Same', ',LANGUAGE="de",URI="/best"'),
      audio('a', 'Deutsch', ',LANGUAGE="de",URI="/de"'),
    ];
    expect(choose(inside, ',AUDIO="a"')).toEqual({ audioUrl: undefined, skippedRenditions: ['Deutsch'] });
    expect(choose(inside.slice(0, 2), ',AUDIO="a"')).toEqual({ audioUrl: undefined, skippedRenditions: [] });
  });

  test('of a variant without a group is assumed to be in the default language', () => {
    expect(choose(group)).toEqual({ audioUrl: undefined, skippedRenditions: ['English'] });
    expect(choose(group.slice(0, 1))).toEqual({ audioUrl: undefined, skippedRenditions: [] });
  });
});

test('skips each subtitle rendition once, whatever its groups', () => {
  const subtitles = (group: string, name: string) =>
    `TYPE=SUBTITLES,GROUP-ID="${group}",NAME="${name}",LANGUAGE="en",URI="/${group}"`;
  const media = [subtitles('s', 'English'), subtitles('s', 'Forced'), subtitles('t', 'English')];
  expect(choose(media, ',SUBTITLES="s"').skippedRenditions).toEqual(['English', 'Forced']);
  expect(choose(media).skippedRenditions).toEqual(['English', 'Forced']);
});

test('does not skip closed captions, which are inside the video', () => {
  expect(choose(['TYPE=CLOSED-CAPTIONS,GROUP-ID="c",NAME="CC",INSTREAM-ID="CC1"']).skippedRenditions).toEqual([]);
});

test('skips other camera angles, but does not report other qualities', () => {
  const video = (group: string, name: string, more = '') => `TYPE=VIDEO,GROUP-ID="${group}",NAME="${name}"${more}`;
  const media = [
    video('v', 'Stage', ',DEFAULT=YES'),
    video('v', 'Crowd', ',URI="/crowd"'),
    video('low', 'Crowd', ',URI="/crowd-low"'),
  ];
  expect(choose(media, ',VIDEO="v"').skippedRenditions).toEqual(['Crowd']);
});
