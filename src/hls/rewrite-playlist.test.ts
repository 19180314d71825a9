import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MillraceError } from '../contract/errors.ts';
import { startCpuClock } from '../testing/cpu-clock.ts';
import { propertyRuns } from '../testing/property-runs.ts';
import type { LinkKind } from './rewrite-playlist.ts';
import { parsePlaylist, rewritePlaylist } from './testing/parse-playlist.ts';

const base = 'https://cdn.example/path/master.m3u8?sig=1';
const link = (url: string, kind: LinkKind) => `https://relay.example/${kind}/${encodeURIComponent(url)}`;
const lines = (text: string) => rewritePlaylist(text, base, link);
const relayLink = (path: string, kind: LinkKind) => link(`https://cdn.example/${path}`, kind);

test('rewrites the URLs of variants, renditions and site-specific attributes in a master playlist', () => {
  const text = `#EXTM3U
#EXT-X-VERSION:6
# a comment
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="x, y",URI="audio.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a",PROGRESSIVE-URI="http://cdn.example/file.mp4"
low/index.m3u8#cell=cf
#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="/i.m3u8"
`;
  expect(lines(text)).toEqual([
    '#EXTM3U',
    '#EXT-X-VERSION:6',
    `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="x, y",URI="${relayLink('path/audio.m3u8', 'playlist')}"`,
    `#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a",PROGRESSIVE-URI="${link('http://cdn.example/file.mp4', 'media')}"`,
    relayLink('path/low/index.m3u8', 'playlist'),
    `#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="${relayLink('i.m3u8', 'playlist')}"`,
  ]);
});

test('rewrites the URLs of segments, keys and initialisation sections', () => {
  const text = `#EXTM3U\r
#EXT-X-TARGETDURATION:4\r
#EXT-X-KEY:METHOD=AES-128,URI="key.bin",IV=0x00\r
#EXT-X-MAP:URI="init.mp4",BYTERANGE="10@0"\r
#EXTINF:4,\r
#EXT-X-BYTERANGE:100@10\r
https://other.example/1.m4s?a=b\r
#EXT-X-ENDLIST\r
`;
  expect(lines(text)).toEqual([
    '#EXTM3U',
    '#EXT-X-TARGETDURATION:4',
    `#EXT-X-KEY:METHOD=AES-128,URI="${relayLink('path/key.bin', 'media')}",IV=0x00`,
    `#EXT-X-MAP:URI="${relayLink('path/init.mp4', 'media')}",BYTERANGE="10@0"`,
    '#EXTINF:4,',
    '#EXT-X-BYTERANGE:100@10',
    link('https://other.example/1.m4s?a=b', 'media'),
    '#EXT-X-ENDLIST',
  ]);
});

test('omits tags, attributes and titles that players do not need', () => {
  const text = `#EXTM3U
#EXT-X-SESSION-DATA:DATA-ID="a",URI="data.json"
#EXT-X-CONTENT-STEERING:SERVER-URI="/steering"
#EXT-X-DATERANGE:ID="a",START-DATE="2026-11-21T00:00:00Z",X-ASSET-URI="https://a.example/ad.m3u8"
#EXT-X-PROGRAM-DATE-TIME:2026-11-21T00:00:00.000+00:00
#EXT-X-SITE:https://a.example/
#EXT-X-KEY:METHOD=AES-128,URI=key.bin,URI="file:///other",X-HOME="https://a.example/",NAME=a b
#EXT-X-VERSION:three
#EXTINF:4.000 ,javascript:alert(1)
a.ts
`;
  expect(lines(text)).toEqual([
    '#EXTM3U',
    '#EXT-X-PROGRAM-DATE-TIME:2026-11-21T00:00:00.000+00:00',
    `#EXT-X-KEY:METHOD=AES-128,URI="${relayLink('path/key.bin', 'media')}"`,
    '#EXTINF:4.000,',
    relayLink('path/a.ts', 'media'),
  ]);
});

test('reads bytes as it reads their text, wherever they are divided', () => {
  const text = `\uFEFF#EXTM3U\n${Array.from({ length: 3_000 }, (_, at) => `#EXTINF:${at},é\nü${'€'.repeat(at % 50)}.ts\n\n`).join('')}a.ts`;
  expect(rewritePlaylist(Buffer.from(text), base, link)).toEqual(lines(text));
  expect(() => rewritePlaylist(Buffer.of(), base, link)).toThrow('line 1');
});

test.each([
  ['a file', '#EXTM3U\n#EXTINF:4,\nfile:///etc/passwd'],
  ['a script', '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\njavascript:alert(1)'],
  ['data', '#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="data:;base64,AAAA"\n#EXTINF:4,\na.ts'],
  ['a key of a DRM system', '#EXTM3U\n#EXT-X-KEY:METHOD=SAMPLE-AES,KEYFORMAT="com.example",URI="skd://key"'],
  ['a file in an unknown attribute', '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,X-URI="file:///etc/passwd"\na.m3u8'],
  ['an attribute list that cannot be read', '#EXTM3U\n#EXT-X-MAP:URI="a'],
  ['a segment without a duration', '#EXTM3U\n#EXTINF:,\na.ts'],
  ['no playlist', 'hello'],
  ['a URI that cannot be read', '#EXTM3U\nhttp://['],
  ['an undefined variable', '#EXTM3U\n{$a}'],
  ['a variable that leads to a file', '#EXTM3U\n#EXT-X-DEFINE:NAME="a",VALUE="file:"\n{$a}///etc/passwd'],
  ['too many links', `#EXTM3U\n${'a\n'.repeat(25_001)}`],
  ['a line without end', `#EXTM3U\n${'a'.repeat(70_000)}`],
])('rejects %s', (_name, text) => expect(() => lines(text)).toThrow(MillraceError));

test('writes a playlist that parses to the same segments with rewritten URLs', () => {
  const segment = fc.record({
    name: fc.stringMatching(/^[a-z0-9]{1,12}\.ts$/),
    seconds: fc.integer({ min: 1, max: 9 }),
  });
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 20 }), (segments) => {
      const text = `#EXTM3U\n${segments.map(({ name, seconds }) => `#EXTINF:${seconds},\n${name}\n`).join('')}`;
      const before = parsePlaylist(text, base);
      const after = parsePlaylist(lines(text).join('\n'), 'https://relay.example/');
      if (before.kind !== 'media' || after.kind !== 'media') throw new Error('these are media playlists');
      expect(after.segments).toEqual(before.segments.map((one) => ({ ...one, url: link(one.url, 'media') })));
    }),
    { seed: 6 },
  );
});

test('writes only links, and tags whose URLs are links, for any playlist', () => {
  const tag = fc.constantFrom(
    'EXTINF',
    'EXT-X-KEY',
    'EXT-X-MAP',
    'EXT-X-MEDIA',
    'EXT-X-STREAM-INF',
    'EXT-X-VERSION',
    'EXT-X-DATERANGE',
    'EXT-X-OTHER',
    'EXTM3U',
  );
  const name = fc.constantFrom('URI', 'X-URI', 'NAME', 'VALUE', 'X-ASSET-LIST', 'uri', 'BANDWIDTH');
  const scheme = fc.constantFrom('file:', 'javascript:', 'data:', 'https:', 'http:', 'HTTP:', '//', '');
  const separator = fc.constantFrom('\n', '\r\n', '\r', '\u2028', '\v', '\u0085', '\0', ' ', ',', '"');
  const uri = fc
    .tuple(scheme, fc.constantFrom('//a.example/b', '/etc/passwd', 'a', ''), separator)
    .map((all) => all.join(''));
  const value = fc.oneof(
    uri,
    fc.nat().map(String),
    fc.tuple(name, uri).map(([n, u]) => `${n}="${u}"`),
  );
  const line = fc.oneof(
    fc.tuple(tag, value, value).map(([t, one, other]) => `#${t}:${one},${other}`),
    uri,
    uri.map((text) => `#${text}`),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), (all) => {
      try {
        for (const output of lines(['#EXTM3U', ...all].join('\n'))) {
          expect(output).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
          if (output.startsWith('#EXT')) {
            for (const [, address] of output.matchAll(/URI="([^"]*)"/gi)) expect(address).toMatch(/^https:\/\/relay\./);
            expect(output).not.toMatch(/VALUE|ASSET-LIST|uri=/);
          } else expect(output).toMatch(/^https:\/\/relay\.example\//);
        }
      } catch (error) {
        if (!(error instanceof MillraceError)) throw error;
      }
    }),
    { seed: 15, numRuns: propertyRuns(2_000) },
  );
});

test('rewrites or rejects any text in linear time', () => {
  const piece = fc.constantFrom(
    '#EXT-X-KEY:',
    'URI="',
    '"',
    'URI',
    '=',
    'A',
    ' ',
    '\n',
    '#EXTINF:1,',
    'http://a/',
    ',',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 300 }), (pieces) => {
      try {
        lines(`#EXTM3U\n${pieces.join('')}`);
      } catch (error) {
        expect(error).toBeInstanceOf(MillraceError);
      }
    }),
    { seed: 7 },
  );
  const elapsed = startCpuClock();
  for (const part of ['A', 'URI', 'URI ', 'URI="', 'URI= ', 'A="",']) {
    try {
      lines(`#EXTM3U\n#EXT-X-KEY:${part.repeat(60_000 / 5)}`);
    } catch (error) {
      expect(error).toBeInstanceOf(MillraceError);
    }
  }
  expect(elapsed()).toBeLessThan(1_000);
});
