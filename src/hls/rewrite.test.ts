import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MillraceError } from '../contract/errors.ts';
import { parsePlaylist } from './playlist.ts';
import { type LinkKind, rewritePlaylist } from './rewrite.ts';

const base = 'https://cdn.example/path/master.m3u8?sig=1';
const link = (url: string, kind: LinkKind) => `https://relay.example/${kind}/${encodeURIComponent(url)}`;
const lines = (text: string) => [...rewritePlaylist(text, base, link)];
const relayed = (path: string, kind: LinkKind) => link(`https://cdn.example/${path}`, kind);

test('leads variants, renditions and what sites add to a master through the links', () => {
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
    `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="x, y",URI="${relayed('path/audio.m3u8', 'playlist')}"`,
    `#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a",PROGRESSIVE-URI="${link('http://cdn.example/file.mp4', 'media')}"`,
    relayed('path/low/index.m3u8', 'playlist'),
    `#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="${relayed('i.m3u8', 'playlist')}"`,
  ]);
});

test('leads segments, keys and initialisation sections through the links, and leaves other schemes alone', () => {
  const text = `#EXTM3U\r
#EXT-X-TARGETDURATION:4\r
#EXT-X-KEY:METHOD=AES-128,URI="key.bin",IV=0x00\r
#EXT-X-KEY:METHOD=SAMPLE-AES,KEYFORMAT="com.example",URI="skd://key"\r
#EXT-X-MAP:URI="init.mp4",BYTERANGE="10@0"\r
#EXTINF:4,\r
#EXT-X-BYTERANGE:100@10\r
https://other.example/1.m4s?a=b\r
#EXT-X-ENDLIST\r
`;
  expect(lines(text)).toEqual([
    '#EXTM3U',
    '#EXT-X-TARGETDURATION:4',
    `#EXT-X-KEY:METHOD=AES-128,URI="${relayed('path/key.bin', 'media')}",IV=0x00`,
    '#EXT-X-KEY:METHOD=SAMPLE-AES,KEYFORMAT="com.example",URI="skd://key"',
    `#EXT-X-MAP:URI="${relayed('path/init.mp4', 'media')}",BYTERANGE="10@0"`,
    '#EXTINF:4,',
    '#EXT-X-BYTERANGE:100@10',
    link('https://other.example/1.m4s?a=b', 'media'),
    '#EXT-X-ENDLIST',
  ]);
});

test.each([
  ['no playlist', 'hello'],
  ['a URI that cannot be read', '#EXTM3U\nhttp://['],
  ['a variable', '#EXTM3U\n#EXT-X-DEFINE:NAME="a",VALUE="b"\n{$a}'],
  ['too many links', `#EXTM3U\n${'a\n'.repeat(25_001)}`],
  ['a line without end', `#EXTM3U\n${'a'.repeat(70_000)}`],
])('refuses %s', (_name, text) => expect(() => lines(text)).toThrow(MillraceError));

test('what it writes is read as the same segments behind other links', () => {
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

test('rewrites or refuses anything, in time that grows with its length', () => {
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
  const started = performance.now();
  for (const part of ['A', 'URI', 'URI ', 'URI="', 'URI= ']) lines(`#EXTM3U\n#EXT-X-KEY:${part.repeat(60_000 / 5)}`);
  expect(performance.now() - started).toBeLessThan(1_000);
});
