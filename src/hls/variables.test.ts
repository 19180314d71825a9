import { expect, test } from 'vitest';
import type { MasterPlaylist } from './master-playlist.ts';
import type { MediaPlaylist } from './media-playlist.ts';
import { parsePlaylist as parseInSteps } from './playlist.ts';
import { rewritePlaylist as rewriteInSteps } from './rewrite-playlist.ts';
import { parsePlaylist, rewritePlaylist } from './testing/parse-playlist.ts';

const base = 'https://cdn.example/a/list.m3u8?token=x%20y%2Fz&empty=';
const parse = (lines: readonly string[], imported = {}) =>
  parsePlaylist(['#EXTM3U', ...lines].join('\n'), base, {}, imported);

test('the values of variables are part of URIs and of attributes', () => {
  const lines = [
    '#EXT-X-DEFINE:NAME="host",VALUE="https://media.example"',
    '#EXT-X-DEFINE:QUERYPARAM="token"',
    '#EXT-X-DEFINE:IMPORT="quality"',
    '#EXT-X-MAP:URI="{$host}/init-{$quality}.mp4"',
    '#EXTINF:4,{$not_a_variable}',
    '{$host}/{$quality}/1.m4s?t={$token}',
    '#EXTINF:4,',
    '{$quality}{$quality}.m4s',
  ];
  const playlist = parse(lines, { quality: '720' }) as MediaPlaylist;
  expect(playlist.segments.map(({ url }) => url)).toEqual([
    'https://media.example/720/1.m4s?t=x%20y/z',
    'https://cdn.example/a/720720.m4s',
  ]);
  expect(playlist.segments[0]?.map?.url).toBe('https://media.example/init-720.mp4');
});

test('a master playlist exports its variables', () => {
  const playlist = parse([
    '#EXT-X-DEFINE:NAME="a-b_1",VALUE="one"',
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="{$a-b_1}",NAME="x",URI="{$a-b_1}.m3u8"',
    '#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="{$a-b_1}"',
    '{$a-b_1}/v.m3u8',
  ]) as MasterPlaylist;
  expect(playlist.variables).toEqual({ 'a-b_1': 'one' });
  expect(playlist.variants[0]).toMatchObject({ url: 'https://cdn.example/a/one/v.m3u8', audioGroup: 'one' });
  expect(playlist.renditions[0]).toMatchObject({ groupId: 'one', url: 'https://cdn.example/a/one.m3u8' });
});

test('a rewritten playlist has no variables', () => {
  const text = '#EXTM3U\n#EXT-X-DEFINE:NAME="a",VALUE="b"\n#EXT-X-MAP:URI="{$a}.mp4"\n#EXTINF:1,\n{$a}.m4s';
  expect(rewritePlaylist(text, base, (url) => new URL(url).pathname)).toEqual([
    '#EXTM3U',
    '#EXT-X-MAP:URI="/a/b.mp4"',
    '#EXTINF:1,',
    '/a/b.m4s',
  ]);
});

test('a definition is a step, as every other line', () => {
  const definitions = Array.from({ length: 50 }, (_, at) => `#EXT-X-DEFINE:NAME="a${at}",VALUE="b"`);
  for (const kind of ['#EXT-X-TARGETDURATION:4', '#EXT-X-SESSION-DATA:DATA-ID="a"']) {
    const text = ['#EXTM3U', kind, ...definitions].join('\n');
    expect([...parseInSteps(text, base)]).toHaveLength(51);
    // The header is one more.
    expect([...rewriteInSteps(text, base, String)]).toHaveLength(52);
  }
});

test('a value of the query that would end an attribute is refused', () => {
  const text = '#EXTM3U\n#EXT-X-DEFINE:QUERYPARAM="a"\n#EXTINF:1,\n{$a}';
  for (const value of ['%22', '%0A', '%0d', '']) {
    expect(() => parsePlaylist(text, `https://cdn.example/?a=${value}`)).toThrow(/line 2 .* without a value/);
  }
});
