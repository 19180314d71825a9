import { describe, expect, it } from 'vitest';
import { MillraceError } from '../contract/errors.ts';
import { initializationVector, isPlainKey, type PlaylistKey } from './encryption-keys.ts';
import type { MasterPlaylist } from './master-playlist.ts';
import type { MediaPlaylist } from './media-playlist.ts';
import { parsePlaylist } from './testing/parse-playlist.ts';

const base = 'https://cdn.example/a(b)/list.m3u8?sec=1';

function playlist(...lines: string[]) {
  return parsePlaylist(['#EXTM3U', ...lines].join('\n'), base);
}

function master(...lines: string[]): MasterPlaylist {
  const result = playlist(...lines);
  if (result.kind !== 'master') throw new Error('expected a master playlist');
  return result;
}

function media(...lines: string[]): MediaPlaylist {
  const result = playlist(...lines);
  if (result.kind !== 'media') throw new Error('expected a media playlist');
  return result;
}

describe('parsePlaylist (master playlist)', () => {
  it('returns each variant with its properties and every attribute as written', () => {
    const { variants } = master(
      '#EXT-X-STREAM-INF:BANDWIDTH=2149280,AVERAGE-BANDWIDTH=2000000,CODECS="mp4a.40.2,avc1.64001f",RESOLUTION=1280x720,FRAME-RATE=29.970,NAME="720",PROGRESSIVE-URI="https://vod.example/sec2(t-1_x)/v.mp4#cell=cf"',
      'v720.m3u8#cell=cf',
    );
    expect(variants).toHaveLength(1);
    expect(variants[0]).toMatchObject({
      url: 'https://cdn.example/a(b)/v720.m3u8',
      bandwidth: 2149280,
      averageBandwidth: 2000000,
      codecs: ['mp4a.40.2', 'avc1.64001f'],
      width: 1280,
      height: 720,
      frameRate: 29.97,
    });
    expect(variants[0]?.attributes.get('NAME')).toBe('720');
    expect(variants[0]?.attributes.get('PROGRESSIVE-URI')).toBe('https://vod.example/sec2(t-1_x)/v.mp4#cell=cf');
  });

  it('keeps a variant whose optional attributes are invalid', () => {
    const { variants } = master('#EXT-X-STREAM-INF:BANDWIDTH=fast,RESOLUTION=big,FRAME-RATE=-1', 'v.m3u8');
    expect(variants[0]).toEqual({ url: 'https://cdn.example/a(b)/v.m3u8', codecs: [], attributes: expect.any(Map) });
  });

  it('omits I-frame variants and ignores unknown tags and comments', () => {
    const { variants } = master(
      '#EXT-X-VERSION:7',
      '#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="i.m3u8"',
      '#EXT-X-SOMETHING-NEW:1',
      '# a comment',
      '#EXT-X-STREAM-INF:BANDWIDTH=1',
      '#another',
      '',
      'v.m3u8',
    );
    expect(variants.map(({ url }) => url)).toEqual(['https://cdn.example/a(b)/v.m3u8']);
  });

  it('returns renditions and the audio group of each variant', () => {
    const { variants, renditions } = master(
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="English, stereo",LANGUAGE="en",DEFAULT=YES,URI="a/en.m3u8"',
      '#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="cc",NAME="CC1",INSTREAM-ID="CC1"',
      '#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="aac"',
      'v.m3u8',
    );
    expect(variants[0]?.audioGroup).toBe('aac');
    expect(renditions).toMatchObject([
      { type: 'AUDIO', groupId: 'aac', name: 'English, stereo', language: 'en', isDefault: true },
      { type: 'CLOSED-CAPTIONS', groupId: 'cc', name: 'CC1', isDefault: false },
    ]);
    expect(renditions.map(({ url }) => url)).toEqual(['https://cdn.example/a(b)/a/en.m3u8', undefined]);
  });

  it('keeps session keys of DRM systems without following their URIs', () => {
    const { sessionKeys } = master(
      '#EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI="skd://1",KEYFORMAT="com.apple.streamingkeydelivery"',
    );
    expect(sessionKeys).toEqual([{ method: 'SAMPLE-AES', keyFormat: 'com.apple.streamingkeydelivery' }]);
    expect(sessionKeys.some(isPlainKey)).toBe(false);
  });
});

describe('parsePlaylist (media playlist)', () => {
  it('returns the segments with duration, number and section, and the total duration', () => {
    const list = media(
      '#EXT-X-TARGETDURATION:10',
      '#EXT-X-MEDIA-SEQUENCE:7',
      '#EXT-X-PLAYLIST-TYPE:VOD',
      '#EXTINF:9.009,a title, with a comma',
      's1.ts',
      '#EXT-X-DISCONTINUITY',
      '#EXTINF:3',
      '/root/s2.ts?x=(1)#frag',
      '#EXT-X-GAP',
      '#EXTINF:.5,',
      'http://other.example/s3.ts',
      '#EXT-X-ENDLIST',
    );
    const common = { keys: [], discontinuityIndex: 0, gap: false };
    expect(list.segments).toEqual([
      { ...common, url: 'https://cdn.example/a(b)/s1.ts', duration: 9.009, sequence: 7 },
      { ...common, url: 'https://cdn.example/root/s2.ts?x=(1)', duration: 3, sequence: 8, discontinuityIndex: 1 },
      { ...common, url: 'http://other.example/s3.ts', duration: 0.5, sequence: 9, discontinuityIndex: 1, gap: true },
    ]);
    expect(list).toMatchObject({ endList: true, playlistType: 'VOD', targetDuration: 10, mediaSequence: 7 });
    expect(list.totalDuration).toBeCloseTo(12.509);
  });

  it('detects a live playlist, even an empty one', () => {
    const list = media('#EXT-X-TARGETDURATION:6');
    expect(list).toMatchObject({ endList: false, segments: [], totalDuration: 0, mediaSequence: 0 });
  });

  it('derives the offset of byte ranges that omit it', () => {
    const list = media(
      '#EXT-X-MAP:URI="all.mp4",BYTERANGE="800@0"',
      '#EXTINF:1',
      '#EXT-X-BYTERANGE:100@800',
      'all.mp4#t=0',
      '#EXT-X-BYTERANGE:50',
      '#EXTINF:1',
      'all.mp4',
      '#EXTINF:1',
      '#EXT-X-BYTERANGE:5@2000',
      'all.mp4',
    );
    expect(list.segments.map(({ byteRange }) => byteRange)).toEqual([
      { offset: 800, length: 100 },
      { offset: 900, length: 50 },
      { offset: 2000, length: 5 },
    ]);
    expect(list.segments[0]?.map).toEqual({
      url: 'https://cdn.example/a(b)/all.mp4',
      byteRange: { offset: 0, length: 800 },
      keys: [],
    });
    expect(list.segments[1]?.map).toBe(list.segments[0]?.map);
  });

  it('applies keys to the segments that follow, until they are replaced or removed', () => {
    const list = media(
      '#EXTINF:1',
      'clear.ts',
      '#EXT-X-KEY:METHOD=AES-128,URI="k1"',
      '#EXTINF:1',
      'one.ts',
      '#EXT-X-KEY:METHOD=AES-128,URI="https://keys.example/k2",IV=0xABCDEF',
      '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="data:text/plain;base64,AA==",KEYFORMAT="urn:uuid:edef8ba9"',
      '#EXT-X-MAP:URI="init.mp4"',
      '#EXTINF:1',
      'two.ts',
      '#EXT-X-KEY:METHOD=NONE',
      '#EXTINF:1',
      'clear-again.ts',
    );
    const [clear, one, two, again] = list.segments;
    expect(clear?.keys).toEqual([]);
    expect(one?.keys).toEqual([{ method: 'AES-128', keyFormat: 'identity', url: 'https://cdn.example/a(b)/k1' }]);
    expect(two?.keys.map(({ keyFormat }) => keyFormat)).toEqual(['identity', 'urn:uuid:edef8ba9']);
    expect(two?.keys.find(isPlainKey)?.url).toBe('https://keys.example/k2');
    expect(two?.map?.keys).toEqual(two?.keys);
    expect(again?.keys).toEqual([]);
  });

  it('derives an initialisation vector from the sequence number, unless the key has one', () => {
    const key: PlaylistKey = { method: 'AES-128', keyFormat: 'identity', url: 'https://keys.example/k' };
    const hex = (vector: Uint8Array) => Buffer.from(vector).toString('hex');
    expect(hex(initializationVector(key, 0x0102))).toBe('00000000000000000000000000000102');
    expect(hex(initializationVector(key, Number.MAX_SAFE_INTEGER))).toBe('0000000000000000001fffffffffffff');
    const list = media('#EXT-X-KEY:METHOD=AES-128,URI="k",IV=0Xabcdef', '#EXTINF:1', 's.ts');
    const explicitKey = list.segments[0]?.keys[0];
    expect(explicitKey && hex(initializationVector(explicitKey, 5))).toBe('00000000000000000000000000abcdef');
  });
});

describe('a repeated key or map', () => {
  const repeatTags = (...tags: string[]) =>
    parsePlaylist(
      ['#EXTM3U', ...Array.from({ length: 50 }, () => [...tags, '#EXTINF:1,', 's.ts']).flat()].join('\n'),
      base,
      {
        mapChanges: 1,
        keyChanges: 2,
      },
    ) as MediaPlaylist;

  it('is not a change, and all its segments share it', () => {
    const { segments } = repeatTags(
      '#EXT-X-KEY:METHOD=AES-128,URI="k"',
      '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://k",KEYFORMAT="com.apple.streamingkeydelivery"',
      '#EXT-X-MAP:URI="i.mp4",BYTERANGE="9@1"',
    );
    expect(new Set(segments.map(({ map }) => map)).size).toBe(1);
    expect(new Set(segments.map(({ keys }) => keys)).size).toBe(1);
    expect(segments[49]?.keys.map(({ method }) => method)).toEqual(['AES-128', 'SAMPLE-AES']);
  });

  it('with METHOD=NONE is not a change if nothing was encrypted before', () => {
    expect(repeatTags('#EXT-X-KEY:METHOD=NONE').segments).toHaveLength(50);
  });

  it('is a change if it returns after another one', () => {
    const tags = ['#EXT-X-MAP:URI="a"', '#EXTINF:1,', '1.ts', '#EXT-X-MAP:URI="b"', '#EXTINF:1,', '2.ts'];
    const text = ['#EXTM3U', ...tags, ...tags].join('\n');
    const { segments } = parsePlaylist(text, base) as MediaPlaylist;
    expect(segments.map(({ map }) => map?.url.at(-1))).toEqual(['a', 'b', 'a', 'b']);
    expect(() => parsePlaylist(text, base, { mapChanges: 3 })).toThrow(/limit of 3 changes/);
  });

  it('is a different map if another key is in force', () => {
    const { segments } = media(
      ...['#EXT-X-KEY:METHOD=AES-128,URI="1"', '#EXT-X-MAP:URI="i"', '#EXTINF:1,', '1.ts'],
      ...['#EXT-X-KEY:METHOD=AES-128,URI="2"', '#EXT-X-MAP:URI="i"', '#EXTINF:1,', '2.ts'],
    );
    expect(segments.map(({ map }) => map?.keys[0]?.url?.at(-1))).toEqual(['1', '2']);
  });
});

describe('playlist text', () => {
  const lines = ['#EXTM3U', '#EXT-X-TARGETDURATION:5', '#EXTINF:5,', 's.ts', '#EXT-X-ENDLIST', ''];

  it.each([
    ['LF', lines.join('\n')],
    ['CRLF', lines.join('\r\n')],
    ['a byte order mark', `\uFEFF${lines.join('\n')}`],
    ['trailing white space', lines.join(' \t\n')],
    ['no last line feed', lines.slice(0, -1).join('\n')],
  ])('is accepted with %s', (_, text) => {
    expect(parsePlaylist(text, base)).toMatchObject({
      kind: 'media',
      endList: true,
      segments: [{ url: 'https://cdn.example/a(b)/s.ts' }],
    });
  });

  it.each<[string, RegExp, string[]]>([
    ['neither variants nor segments', /neither variants nor segments/, ['#EXT-X-VERSION:3']],
    ['variants among segments', /line 4 mixes/, ['#EXTINF:1', 's.ts', '#EXT-X-STREAM-INF:BANDWIDTH=1', 'v.m3u8']],
    ['segments among variants', /line 4 mixes/, ['#EXT-X-STREAM-INF:BANDWIDTH=1', 'v.m3u8', '#EXTINF:1', 's.ts']],
    ['a variant without URI', /line 2 .*without a URI after it/, ['#EXT-X-STREAM-INF:BANDWIDTH=1']],
    ['two variants and one URI', /line 2 /, ['#EXT-X-STREAM-INF:A=1', '#EXT-X-STREAM-INF:A=1', 'v.m3u8']],
    ['a URI without variant', /line 3 /, ['#EXT-X-MEDIA:TYPE=AUDIO', 'v.m3u8']],
    ['a URI without EXTINF', /line 3 /, ['#EXT-X-TARGETDURATION:1', 's.ts']],
    ['an invalid duration', /line 2 has no duration/, ['#EXTINF:-1,', 's.ts']],
    ['an endless duration', /line 2 has no duration/, [`#EXTINF:${'9'.repeat(400)},`, 's.ts']],
    ['a range without a previous one', /line 4 .*offset/, ['#EXTINF:1', '#EXT-X-BYTERANGE:5', 's.ts']],
    ['a range without length', /line 4 .*length/, ['#EXTINF:1', '#EXT-X-BYTERANGE:0@5', 's.ts']],
    ['a range that ends past 2^53', /line 4 .*2\^53/, ['#EXTINF:1', '#EXT-X-BYTERANGE:9007199254740991@1', 's.ts']],
    [
      'a range after another file',
      /line 7/,
      ['#EXTINF:1', '#EXT-X-BYTERANGE:5@0', 'a.ts', '#EXTINF:1', '#EXT-X-BYTERANGE:5', 'b.ts'],
    ],
    ['a late sequence number', /line 4 /, ['#EXTINF:1', 's.ts', '#EXT-X-MEDIA-SEQUENCE:5']],
    ['a broken sequence number', /line 2 /, ['#EXT-X-MEDIA-SEQUENCE:18446744073709551615']],
    ['a key without METHOD', /line 2 .*METHOD/, ['#EXT-X-KEY:URI="k"']],
    ['a key without URI', /line 2 .*URI/, ['#EXT-X-KEY:METHOD=AES-128']],
    ['a key behind another scheme', /line 2 has a file: URI/, ['#EXT-X-KEY:METHOD=AES-128,URI="file:///etc/passwd"']],
    ['a broken IV', /line 2 has an IV/, ['#EXT-X-KEY:METHOD=AES-128,URI="k",IV=0xZZ']],
    ['a map without URI', /line 2 .*EXT-X-MAP/, ['#EXT-X-MAP:BYTERANGE="1@0"']],
    ['a segment behind another scheme', /line 3 has a file: URI/, ['#EXTINF:1', 'file:///etc/passwd']],
    ['an invalid URI', /line 3 has an invalid URI/, ['#EXTINF:1', 'http://[']],
    ['a delta update', /line 2 skips/, ['#EXT-X-SKIP:SKIPPED-SEGMENTS=3']],
    ['an undefined variable', /line 3 uses the variable a, which/, ['#EXTINF:1', '{$a}.ts']],
    [
      'an undefined variable in an attribute',
      /line 2 uses the variable a/,
      ['#EXT-X-MAP:URI="{$a}"', '#EXTINF:1', 's'],
    ],
    ['a variable without a name', /line 2 defines a variable without/, ['#EXT-X-DEFINE:VALUE="a"', '#EXTINF:1', 's']],
    ['a variable without a value', /line 2 .* without a value/, ['#EXT-X-DEFINE:NAME="a"', '#EXTINF:1', 's']],
    ['a variable of the query that is missing', /line 2 .*value/, ['#EXT-X-DEFINE:QUERYPARAM="a"', '#EXTINF:1', 's']],
    ['a variable that nobody exports', /line 2 .*value/, ['#EXT-X-DEFINE:IMPORT="toString"', '#EXTINF:1', 's']],
    [
      'a variable that is defined twice',
      /line 3 .* again/,
      ['#EXT-X-DEFINE:NAME="a",VALUE="1"', '#EXT-X-DEFINE:NAME="a",VALUE="1"', '#EXTINF:1', 's'],
    ],
    [
      'long values',
      /line 2 defines variables of more than 8192/,
      [`#EXT-X-DEFINE:NAME="a",VALUE="${'a'.repeat(8_193)}"`, '#EXTINF:1', '{$a}'],
    ],
    [
      'values that fill a line',
      /line 4 repeats the values/,
      [`#EXT-X-DEFINE:NAME="a",VALUE="${'a'.repeat(8_000)}"`, '#EXTINF:1', '{$a}'.repeat(16_000)],
    ],
    [
      'values that fill a playlist',
      /line \d+ repeats the values/,
      [`#EXT-X-DEFINE:NAME="a",VALUE="${'a'.repeat(8_000)}"`, ...Array(600).fill(['#EXTINF:1', '{$a}']).flat()],
    ],
  ])('is rejected with %s', (_, message, text) => {
    expect(() => playlist(...text)).toThrow(message);
    expect(() => playlist(...text)).toThrow(expect.objectContaining({ code: 'invalid_response_data' }));
  });

  it.each(['', 'x', '<html>', '#EXTM3', '#EXTM3UX', ' \n#EXTM3U'])('is rejected when it starts with %j', (text) => {
    expect(() => parsePlaylist(text, base)).toThrow(/line 1 is not #EXTM3U/);
  });

  it.each(['', 'list.m3u8', 'file:///list.m3u8'])('is rejected if the URL of the playlist is %j', (address) => {
    expect(() => parsePlaylist(lines.join('\n'), address)).toThrow(MillraceError);
  });

  it('is rejected when it exceeds any bound', () => {
    const list = ['#EXTM3U', ...Array.from({ length: 5 }, (_, index) => `#EXTINF:1,\ns${index}.ts`)].join('\n');
    const variants = ['#EXTM3U', ...Array.from({ length: 5 }, (_, index) => `#EXT-X-STREAM-INF:A=1\n${index}`)].join(
      '\n',
    );
    const renditions = ['#EXTM3U', ...Array.from({ length: 5 }, () => '#EXT-X-MEDIA:TYPE=AUDIO')].join('\n');
    const keys = ['#EXTM3U', ...Array.from({ length: 20 }, (_, i) => `#EXT-X-KEY:METHOD=X,KEYFORMAT="${i}"`)].join(
      '\n',
    );
    expect(parsePlaylist(list, base, { segments: 5 })).toMatchObject({ kind: 'media' });
    expect(() => parsePlaylist(list, base, { segments: 4 })).toThrow(/limit of 4 segments/);
    expect(() => parsePlaylist(variants, base, { variants: 4 })).toThrow(/limit of 4 variants/);
    expect(() => parsePlaylist(renditions, base, { variants: 4 })).toThrow(/limit of 4 variants/);
    expect(() => parsePlaylist(keys, base)).toThrow(/more than 16/);
    const changing = (tag: (index: number) => string) =>
      ['#EXTM3U', ...Array.from({ length: 5 }, (_, index) => `${tag(index)}\n#EXTINF:1,\n${index}.ts`)].join('\n');
    const maps = changing((index) => `#EXT-X-MAP:URI="${index}"`);
    expect(parsePlaylist(maps, base, { mapChanges: 5 })).toMatchObject({ kind: 'media' });
    expect(() => parsePlaylist(maps, base, { mapChanges: 4 })).toThrow(
      /line 14 .*limit of 4 changes.*EXT-X-MAP.*shorter/,
    );
    const restarts = changing(() => '#EXT-X-DISCONTINUITY\n#EXT-X-DISCONTINUITY');
    expect(parsePlaylist(restarts, base, { discontinuities: 4 })).toMatchObject({ kind: 'media' });
    expect(() => parsePlaylist(restarts, base, { discontinuities: 3 })).toThrow(
      /line 21 .*limit of 3 discontinuities.*EXT-X-DISCONTINUITY.*shorter/,
    );
    const rotatingKeys = changing((index) => `#EXT-X-KEY:METHOD=AES-128,URI="${index}"`);
    expect(parsePlaylist(rotatingKeys, base, { keyChanges: 5 })).toMatchObject({ kind: 'media' });
    expect(() => parsePlaylist(rotatingKeys, base, { keyChanges: 4 })).toThrow(
      /line 14 .*limit of 4 changes.*EXT-X-KEY.*shorter/,
    );
    const attributes = Array.from({ length: 101 }, (_, index) => `A${index}=1`).join(',');
    expect(() => playlist(`#EXT-X-STREAM-INF:${attributes}`, 'v.m3u8')).toThrow(/line 2 has more than 100 attributes/);
    expect(() => parsePlaylist(list, base, { textLength: 40 })).toThrow(/over 40 characters/);
    expect(() => parsePlaylist(list, base, { lineLength: 9 })).toThrow(/line 2 is longer than 9/);
    expect(() => parsePlaylist(list, base, { urlLength: 100 })).toThrow(/limit of 100 characters/);
  });
});

it('reads only the first codecs of a variant', () => {
  const text = `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="${'mp4a,'.repeat(10_000)}"\nv.m3u8`;
  const playlist = parsePlaylist(text, base);
  expect(playlist.kind === 'master' && playlist.variants[0]?.codecs.length).toBe(16);
});
