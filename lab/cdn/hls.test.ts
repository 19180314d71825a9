import { createDecipheriv } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Lab } from '../lab.ts';
import { read } from '../media/testing/reader.ts';
import { fetchThrough, startTestLab } from '../testing.ts';
import { hlsMasters, hlsPlaylists } from './hls-catalogue.ts';

const base = 'https://cdn.lab.example/hls/amber-10/180/';
let lab: Lab;

beforeAll(async () => {
  lab = await startTestLab();
});
afterAll(() => lab.close());

const get = async (link: string) => (await fetchThrough(lab, new URL(link, base).href)).body;
const text = async (link: string) => (await get(link)).toString();
const links = (playlist: string) => playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
/** Returns all values of a tag in a playlist, in order. */
const tags = (playlist: string, name: string) =>
  [...playlist.matchAll(new RegExp(`^#${name}:(.*)$`, 'gm'))].map(([, value]) => value ?? '');
const segment = (number: number, extension = 'ts') => get(`seg-0000${number}.${extension}`);

describe('media engine', () => {
  const single = Object.entries(hlsPlaylists).flatMap(([name, kind]) => ('extraTitles' in kind ? [] : [name]));

  test.each(single)('plays %s', async (name) => {
    expect(await read(`${lab.url}/hls/amber-10/180/${name}?rotate=2`)).toMatchObject([
      { codec: 'h264', frames: 250, seconds: 10 },
      { codec: 'aac', frames: 469 },
    ]);
  });

  test('plays both titles of a discontinuity', async () => {
    expect(await read(`${lab.url}/hls/amber-6/180/discontinuity.m3u8`)).toMatchObject([
      { codec: 'h264', frames: 300, seconds: 6 },
      { codec: 'aac', frames: 562 },
    ]);
  });

  test.each(['index.m3u8', 'fmp4.m3u8'])('plays separate video and audio playlists: %s', async (name) => {
    const [picture, sound] = await Promise.all([
      read(`${lab.url}/hls/amber-10/video-180/${name}`),
      read(`${lab.url}/hls/amber-10/audio/${name}`),
    ]);
    expect(picture).toMatchObject([{ codec: 'h264', frames: 250 }]);
    expect(sound).toMatchObject([{ codec: 'aac', frames: 469 }]);
  });
});

describe('byte ranges', () => {
  test.each([
    ['ranges.m3u8', 'ts'],
    ['ranges-implicit.m3u8', 'ts'],
    ['fmp4-ranges.m3u8', 'm4s'],
    ['fmp4-ranges-implicit.m3u8', 'm4s'],
  ])('the segments of %s equal the segments in separate files', async (name, extension) => {
    const playlist = await text(name);
    const whole = await get(links(playlist)[0] ?? '');
    const ranges = tags(playlist, 'EXT-X-BYTERANGE');
    expect(ranges.map((range) => range.includes('@'))).toEqual([true, ...Array(2).fill(!name.includes('implicit'))]);
    let end = 0;
    for (const [index, range] of ranges.entries()) {
      const [length = 0, offset = end] = range.split('@').map(Number);
      end = offset + length;
      expect(whole.subarray(offset, end).equals(await segment(index + 1, extension))).toBe(true);
    }
    expect(end).toBe(whole.length);
    const init = (await get('init.mp4')).length;
    expect(tags(playlist, 'EXT-X-MAP')).toEqual(extension === 'ts' ? [] : [`URI="all.mp4",BYTERANGE="${init}@0"`]);
  });

  test('a segment whose address differs from the one before declares its offset', async () => {
    const playlist = await text('ranges-implicit.m3u8?segment.cut=5&segment.only=2');
    expect(links(playlist)).toEqual(['all.ts', 'all.ts?cut=5', 'all.ts']);
    expect(tags(playlist, 'EXT-X-BYTERANGE').every((range) => range.includes('@'))).toBe(true);
  });
});

describe('AES-128', () => {
  test.each(['aes.m3u8', 'aes-derived.m3u8'])('%s rotates keys, and its segments can be decrypted', async (name) => {
    const playlist = await text(`${name}?rotate=2&key.latency=1&token=k`);
    const keys = tags(playlist, 'EXT-X-KEY').map((value) => /URI="([^"]+)"(?:,IV=0x(\w{32}))?$/.exec(value));
    expect(keys.map((each) => each?.[1])).toEqual([1, 2].map((number) => `key-${number}.bin?token=k&latency=1`));
    expect(keys.every((each) => (each?.[2] === undefined) === (name === 'aes-derived.m3u8'))).toBe(true);
    for (const [index, link] of links(playlist).entries()) {
      const [, keyLink = '', iv = (index + 1).toString(16).padStart(32, '0')] = keys[Math.floor(index / 2)] ?? [];
      const key = await get(keyLink);
      expect(key).toHaveLength(16);
      const decipher = createDecipheriv('aes-128-cbc', key, Buffer.from(iv, 'hex'));
      const plain = Buffer.concat([decipher.update(await get(link)), decipher.final()]);
      expect(plain.equals(await segment(index + 1))).toBe(true);
    }
  });

  test('one key encrypts all segments without rotation', async () => {
    expect(tags(await text('aes.m3u8'), 'EXT-X-KEY')).toHaveLength(1);
  });
});

test('four titles follow each other, with a discontinuity before each but the first', async () => {
  const playlist = await text('../../amber-4/180/restarts.m3u8');
  expect(links(playlist).map((link) => /\w+-4/.exec(link)?.[0])).toEqual([undefined, 'birch-4', 'coral-4', 'dune-4']);
  expect(playlist.match(/#EXT-X-DISCONTINUITY\n/g)).toHaveLength(3);
});

test('the EXT-X-MAP changes within each title for video, but not for audio', async () => {
  const maps = async (track: string) => {
    return tags(await text(`../../amber-8/${track}/fmp4-restarts-remapped.m3u8`), 'EXT-X-MAP');
  };
  expect((await maps('video-180')).slice(0, 2)).toEqual(['URI="init.mp4"', 'URI="init.mp4?again"']);
  expect(await maps('video-180')).toHaveLength(8);
  expect(await maps('audio')).toHaveLength(4);
});

test('the second title has another video size, and its audio track is unchanged', async () => {
  expect(links(await text('resized.m3u8'))[3]).toBe('../../birch-10/144/seg-00001.ts');
  expect(links(await text('../audio/resized.m3u8'))[3]).toBe('../../birch-10/audio/seg-00001.ts');
});

test('the second title is rotated by its own initialization segment', async () => {
  expect(tags(await text('fmp4-turned.m3u8'), 'EXT-X-MAP')).toEqual([
    'URI="init.mp4"',
    'URI="../../birch-10/180/init-turned.mp4"',
  ]);
  const [init, turned] = [await get('init.mp4'), await get('init-turned.mp4')];
  const matrix = (bytes: Buffer) =>
    Array.from({ length: 5 }, (_, at) => bytes.readInt32BE(bytes.indexOf('tkhd') + 44 + 4 * at));
  expect(matrix(init)).toEqual([65_536, 0, 0, 0, 65_536]);
  expect(matrix(turned)).toEqual([0, 65_536, 0, -65_536, 0]);
  expect(turned).toHaveLength(init.length);
});

test('a discontinuity joins two titles, each with its own initialization segment', async () => {
  const playlist = await text('fmp4-discontinuity.m3u8?segment.cut=9&segment.only=4&init.latency=1');
  expect(playlist.match(/#EXT-X-DISCONTINUITY\n/g)).toHaveLength(1);
  expect(tags(playlist, 'EXT-X-MAP')).toEqual([
    'URI="init.mp4?latency=1"',
    'URI="../../birch-10/180/init.mp4?latency=1"',
  ]);
  expect(playlist.indexOf('DISCONTINUITY')).toBeLessThan(playlist.indexOf('birch'));
  const all = links(playlist);
  expect(all).toHaveLength(6);
  expect(all[3]).toBe('../../birch-10/180/seg-00001.m4s?cut=9');
  const initOfNext = await get('../../birch-10/180/init.mp4');
  expect(initOfNext.toString('latin1', 4, 8)).toBe('ftyp');
});

describe('master playlists', () => {
  test.each(Object.entries(hlsMasters))(
    '%s leads to existing playlists',
    async (name, { playlist: kind, separate, ...more }) => {
      const playlist = await text(`../${name}?token=m&rotate=2`);
      const variants = links(playlist);
      expect(variants.map((link) => /^(?:video-)?\d+/.exec(link)?.[0])).toEqual(
        ['180', '360', '720'].map((variant) => (separate ? `video-${variant}` : variant)),
      );
      const groups = tags(playlist, 'EXT-X-MEDIA').filter((group) => group.startsWith('TYPE=AUDIO,GROUP-ID="sound",'));
      expect(groups).toHaveLength(separate ? ('languages' in more ? 3 : 1) : 0);
      expect(playlist.match(/,AUDIO="sound"/g)).toEqual(separate ? Array(3).fill(',AUDIO="sound"') : null);
      const sound = groups.map((group) => /,URI="([^"]+)"$/.exec(group)?.[1] ?? '');
      for (const link of [...variants, ...sound]) {
        const index = await text(`../${link}`);
        expect(link).toContain('?token=m&rotate=2');
        expect(links(index)).toHaveLength(kind.includes('restarts') ? 12 : 3);
      }
    },
  );
});

describe('EXT-X-ENDLIST', () => {
  test('appears from the request that liveEnd specifies on, separately for each token', async () => {
    const at = async (token: string) => (await text(`index.m3u8?liveEnd=3&token=${token}`)).includes('ENDLIST');
    expect([await at('le-a'), await at('le-a'), await at('le-b'), await at('le-a'), await at('le-a')]).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
  });

  test('is absent from a live playlist, which lists other segments at each request', async () => {
    const [first = '', second = ''] = [
      await text('index.m3u8?live=1&token=lw'),
      await text('index.m3u8?live=1&token=lw'),
    ];
    expect([first, second].join()).not.toMatch(/ENDLIST|VOD/);
    const sequence = (playlist: string) => /MEDIA-SEQUENCE:(\d+)/.exec(playlist)?.[1];
    expect([sequence(first), sequence(second)]).toEqual(['1', '2']);
    expect([links(first).length, links(second)[0]]).toEqual([2, links(first)[1]]);
  });

  test('ends a live stream without a playlist type', async () => {
    const playlist = await text('fmp4.m3u8?liveEnd=1');
    expect(playlist).toContain('#EXT-X-ENDLIST');
    expect(playlist).not.toContain('PLAYLIST-TYPE');
  });
});

test('the option longer declares longer durations than the segments have', async () => {
  const { body } = await fetchThrough(lab, `${base}index.m3u8?longer=0.9`);
  expect([...body.toString().matchAll(/EXTINF:([\d.]+)/g)].map(([, seconds]) => seconds)).toEqual([
    '4.900',
    '4.900',
    '2.900',
  ]);
});

test.each(['index.m3u8?liveEnd=0', 'index.m3u8?liveEnd=soon', 'aes.m3u8?rotate=0', 'index.m3u8?longer=much'])(
  '%s returns 400',
  async (link) => {
    const { status, body } = await fetchThrough(lab, `${base}${link}`);
    expect([status, body.toString()]).toEqual([400, expect.stringContaining(link.split('?')[1] ?? '')]);
  },
);

test.each([
  'seg-00004.ts',
  'seg-00000.m4s',
  'aes-0/seg-00001.ts',
  'aes-1/seg-00004.ts',
  'aes-1/init.mp4',
  'key-0.bin',
  'all.mkv',
  'other.m3u8',
  'constructor',
  '../video/index.m3u8',
  '../constructor',
])('%s returns 404', async (link) => {
  expect((await fetchThrough(lab, new URL(link, base).href)).status).toBe(404);
});
