import { describe, expect, inject, test } from 'vitest';
import { extract } from '../support/http-client.ts';
import { idsOf, listOf, openP1, type Result } from '../support/p1-client.ts';

const service = inject('serviceUrl');
const ask = openP1(service);
const channelId = 'UC85zAYFztyDQQgidr86JyUQ';
const postId = 'Ugkxnjd5uX9KfBXznMBgXO3INBCCJ2vzonJR';
const playlistId = 'PLnjd5uX9KfBXznMBgXO3INBCCJ2vzonJR';

type Query = Readonly<Record<string, string>>;

/** Every endpoint of p1 except the details of a video, with its required parameters. */
const endpoints: readonly (readonly [string, Query])[] = [
  ['/video/comments', { videoId: 'lab-plain30' }],
  ['/post/details', { postId, channelId }],
  ['/post/comments', { postId, channelId }],
  ['/playlist', { playlistId }],
  ['/search', { query: 'mills' }],
  ['/search/video', { query: 'mills' }],
  ['/search/channel', { query: 'mills' }],
  ['/search/playlist', { query: 'mills' }],
  ['/search/movie', { query: 'mills' }],
  ['/search/suggestions', { query: 'mills' }],
  ['/channel/details', { channelId }],
  ['/channel/videos', { channelId, contentType: 'videos' }],
  ['/channel/playlists', { channelId, contentType: 'playlists' }],
  ['/channel/posts', { channelId }],
  ['/channel/id-from-handle', { handle: 'thelab' }],
  ['/hashtag', { tag: 'lab' }],
];
const required = endpoints.flatMap(([path, query]) => Object.keys(query).map((name) => [path, query, name] as const));
const without = (query: Query, name: string): Query => ({ ...query, [name]: '' });

/** Endpoints with several pages. */
const paged: readonly (readonly [string, Query])[] = endpoints.flatMap(([path, query]) => {
  if (path === '/channel/playlists') return [];
  return /details|suggestions|handle/.test(path) ? [] : [[path, query] as const];
});

describe('parameters', () => {
  test.each(endpoints)('%s returns 200 with %o', async (path, query) => {
    const { status, body, headers } = await ask(path, query);
    expect([status, body.error]).toEqual([200, null]);
    expect(body).not.toHaveProperty('contents');
    expect(body.notes?.at(-1)).toBe('This request cost 1 credit.');
    expect(headers.get('cache-control')).toContain('private');
    expect(headers.get('vary')).toMatch(/X-Marketplace-Key/i);
  });

  test.each(required)('%s without one of %o returns 400, naming %s', async (path, query, name) => {
    const { [name]: _left, ...rest } = query;
    for (const wrong of [rest, without(query, name), { ...rest, [name]: '  ' }]) {
      const { status, body } = await ask(path, wrong);
      expect(status).toBe(400);
      expect(body).toMatchObject({
        error: { code: 'params_not_found', parameter: name, statusCode: 400, retryable: false },
        metadata: {},
      });
      expect(body.error?.message).toContain(name);
    }
  });

  test.each(required)('%s with one of %o twice returns 400, naming %s', async (path, query, name) => {
    const twice = new URLSearchParams(query);
    twice.append(name, query[name] ?? '');
    const { status, body } = await extract<Result>(`${service}/p1/v3${path}?${twice}`);
    expect([status, body.error?.code, body.error?.parameter]).toEqual([400, 'invalid_params', name]);
  });

  const wrongIds = {
    videoId: ['short', 'twelve-chars', 'lab-plain3!', 'lab plain30', 'lab-plaïn30', 'youtu.be'],
    channelId: ['UC', `${channelId}A`, channelId.slice(0, -1), `UD${channelId.slice(2)}`, 'UC85zAYFztyDQQgidr86Jy/Q'],
    postId: ['Ug', 'Xgkxnjd5uX9KfBXznMBgXO3INBCCJ2vzonJR', 'Ugkxnjd5uX9KfBXz%00BgXO3', `Ug${'a'.repeat(200)}`],
    playlistId: ['P', 'PL with spaces', 'PL/../../etc', `PL${'a'.repeat(300)}`, '\u0000\u0001\u0002'],
    handle: ['@', 'two words', 'a/b', 'a?b', `@${'a'.repeat(101)}`],
    tag: ['#', 'two words', 'a/b', 'a&b', 'a'.repeat(101), '🎉'.repeat(101), '\u0007bell'],
    contentType: ['Videos', 'all', 'streams', 'videos,shorts', '__proto__'],
  };
  const wrong = required.flatMap(([path, query, name]) => {
    const values: readonly string[] = Object.entries(wrongIds).find(([each]) => each === name)?.[1] ?? [];
    return values.map((value) => [path, name, value, query] as const);
  });
  test.each(wrong)('%s?%s=%s returns 400', async (path, name, value, query) => {
    const { status, body } = await ask(path, { ...query, [name]: value });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'invalid_params', parameter: name, statusCode: 400 });
    expect(body.error?.message).toContain(name);
    expect(body.error?.message.length).toBeLessThan(600);
    expect(body.metadata).toEqual({});
  });

  test.each([
    ['/video/comments', 'sortBy', 'newest_first'],
    ['/video/comments', 'commentId', 'short'],
    ['/video/comments', 'commentId', 'Ugx with a space 4AaABAg'],
    ['/post/comments', 'sortBy', 'OLDEST'],
    ['/channel/videos', 'contentType', 'playlists'],
    ['/channel/playlists', 'contentType', 'videos'],
    ...['/search', '/search/video', '/search/channel', '/search/playlist', '/search/movie'].flatMap(
      (path): [string, string, string][] => [
        [path, 'uploadDate', 'hour'],
        [path, 'prioritize', 'rating'],
        [path, 'duration', 'short'],
        [path, 'features', 'hd,8k'],
        [path, 'features', 'HD'],
        [path, 'sortBy', 'date'],
      ],
    ),
    ['/playlist', 'countryCode', 'zz'],
    ['/playlist', 'countryCode', 'USA'],
  ])('%s?%s=%s returns 400, naming the allowed values', async (path, name, value) => {
    const query = endpoints.find(([each]) => each === path)?.[1] ?? {};
    const { status, body } = await ask(path, { ...query, [name]: value });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'invalid_params', parameter: name });
  });

  test.each(endpoints.filter(([path]) => path !== '/channel/id-from-handle'))(
    '%s refuses an unknown lang',
    async (path, query) => {
      for (const lang of ['xx', 'eng', 'en-US', '../']) {
        const { status, body } = await ask(path, { ...query, lang });
        expect([status, body.error?.code, body.error?.parameter]).toEqual([400, 'invalid_params', 'lang']);
      }
    },
  );

  test.each([
    ['/video/details', 'videoId', 'https://youtu.be/lab-plain30?si=abc', 'lab-plain30'],
    ['/video/details', 'videoId', 'Look: https://www.youtube.com/shorts/lab-plain30, great!', 'lab-plain30'],
    ['/video/comments', 'videoId', 'm.youtube.com/watch?v=lab-plain30&t=3', 'lab-plain30'],
    ['/playlist', 'playlistId', `https://www.youtube.com/watch?v=lab-plain30&list=${playlistId}`, playlistId],
    ['/channel/details', 'channelId', `https://www.youtube.com/channel/${channelId}/videos`, channelId],
    ['/channel/id-from-handle', 'handle', 'https://www.youtube.com/@thelab/featured', '@thelab'],
    ['/hashtag', 'tag', 'https://www.youtube.com/hashtag/lab', 'lab'],
  ])('%s accepts a link as %s: %s', async (path, name, link, id) => {
    const query = endpoints.find(([each]) => each === path)?.[1] ?? {};
    const [byLink, byId] = await Promise.all([
      ask(path, { ...query, [name]: link }),
      ask(path, { ...query, [name]: id }),
    ]);
    expect([byLink.status, byLink.body.error]).toEqual([200, null]);
    expect(byLink.body.metadata.title).toEqual(byId.body.metadata.title);
    expect(Object.keys(byLink.body.metadata)).toEqual(Object.keys(byId.body.metadata));
  });

  test.each([
    ['invalid_url', 'https://www.youtube.com/feed/trending'],
    ['invalid_platform_url', 'https://www.dailymotion.com/video/x1abc'],
  ])('return %s for a link to something else: %s', async (code, videoId) => {
    const { status, body } = await ask('/video/details', { videoId });
    expect([status, body.error?.code, body.error?.parameter]).toEqual([400, code, 'videoId']);
  });

  test('that are unknown are ignored', async () => {
    const { status, body } = await ask('/hashtag', { tag: 'lab', colour: 'red', ['__proto__']: 'x' });
    expect([status, body.error]).toEqual([200, null]);
  });
});

describe('lang and countryCode', () => {
  const languages =
    'aa af ak am ar ay az be bg bi bm bn bs ca ce ch co cs cv cy da de dv dz ee el en es et eu fa ff fi fj fo fr fy ' +
    'ga gd gl gn gu gv ha he hi ho hr ht hu hy hz id ig is it ja jv ka kg kk kl km kn ko ku kw ky la lb lg ln lo lt ' +
    'lu lv mb mg mh mi mk ml mn mr ms mt my na nb nd ne nl nn no nr ny oc om or pa pl ps pt qu rm rn ro ru rw sc sd ' +
    'sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt ty uk ur uz ve vi wo xh yo zh zu';

  test('accept every language of the contract, in any letter case', { tags: ['long'] }, async () => {
    const codes = languages.split(' ').flatMap((code) => [code, code.toUpperCase()]);
    expect(codes).toHaveLength(296);
    for (const lang of codes) {
      const { status, body } = await ask('/search/suggestions', { query: 'mills', lang });
      expect([lang, status, body.error]).toEqual([lang, 200, null]);
    }
  });

  test.each(['worldwide', 'WORLDWIDE', ''])('treat countryCode=%s as anywhere', async (countryCode) => {
    const { body } = await ask('/playlist', { playlistId, countryCode });
    expect(body.error).toBeNull();
  });

  test.each(['fr', 'FR', 'XK', 'us'])('return an error for countryCode=%s, which has no exit', async (countryCode) => {
    const { status, body } = await ask('/playlist', { playlistId, countryCode });
    expect(status).toBe(200);
    expect(body.error).toMatchObject({ code: 'unsupported_proxy_for_geo_targeting', statusCode: 400 });
  });

  test('ignore countryCode at endpoints without it', async () => {
    expect((await ask('/channel/details', { channelId, countryCode: 'FR' })).body.error).toBeNull();
  });
});

describe.each(paged)('the nextToken of %s', (path, query) => {
  const refusal = { code: 'invalid_token', parameter: 'nextToken', statusCode: 400, retryable: false };
  const first = async () => listOf((await ask(path, query)).body).nextToken ?? '';
  const refused = async (nextToken: string, other: Query = query, itsPath = path) => {
    const { status, body } = await ask(itsPath, { ...other, nextToken });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: refusal, metadata: {} });
  };

  test('leads to the next page, repeatedly', async () => {
    const nextToken = await first();
    const [one, two] = await Promise.all([ask(path, { ...query, nextToken }), ask(path, { ...query, nextToken })]);
    expect(one.body.error).toBeNull();
    expect(idsOf(listOf(one.body).items)).toEqual(idsOf(listOf(two.body).items));
  });

  test('returns 400 when forged, altered, cut or too long', async () => {
    const token = await first();
    const altered = (at: number) => `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
    for (const wrong of ['x', 'null', 'AAAA', '../..', '🎉', 'CBQSExJk'.repeat(20), 'A'.repeat(7_000)])
      await refused(wrong);
    for (const at of [0, 5, token.length >> 1, token.length - 10]) await refused(altered(at));
    for (const end of [1, token.length >> 1, token.length - 1]) await refused(token.slice(0, end));
    await refused(`${token}AAAA`);
  });

  test('is valid only for its own query', async () => {
    const token = await first();
    await refused(token, { ...query, lang: 'de' });
    const others: Query = {
      videoId: 'lab-old-30s',
      postId: 'UgkxPG7zcv6U-CvnOYDAuduQaCEETtfnROSi',
      playlistId: 'PLcP9XsMNoKXoFriz15rDgm3S_1eFi0nJR',
      query: 'trains',
      channelId: 'UC5zmAwLnbkGghBE7X50Tkog',
      tag: 'labold',
    };
    for (const [name, value] of Object.entries(others)) {
      if (name in query) await refused(token, { ...query, [name]: value });
    }
  });

  test('is valid only for its own endpoint', async () => {
    const token = await first();
    for (const [other, itsQuery] of paged) if (other !== path) await refused(token, itsQuery, other);
  });
});

describe('a failing source', () => {
  const faults = {
    'lab-http429': ['non_2xx_response', 502],
    'lab-http503': ['non_2xx_response', 502],
    'lab-is-html': ['non_2xx_response', 502],
    'lab-is-void': ['non_2xx_response', 502],
    'lab-is-half': ['invalid_response_data', 502],
    'lab-is-huge': ['invalid_response_data', 502],
    'lab-is-deep': ['invalid_response_data', 502],
    'lab-is-slow': ['operation_timeout', 504],
  } as const;
  const queries: readonly (readonly [string, (word: string) => Query])[] = [
    ['/video/comments', (word) => ({ videoId: word })],
    ['/post/details', (word) => ({ postId: `Ugkx${word}`, channelId })],
    ['/post/comments', (word) => ({ postId: `Ugkx${word}`, channelId })],
    ['/playlist', (word) => ({ playlistId: `PL${word}` })],
    ['/playlist', (word) => ({ playlistId: `RD${word}` })],
    ['/search', (word) => ({ query: word })],
    ['/search/movie', (word) => ({ query: word, lang: 'de' })],
    ['/search/suggestions', (word) => ({ query: word })],
    ['/channel/details', (word) => ({ channelId: `UC${word}${'A'.repeat(11)}` })],
    ['/channel/videos', (word) => ({ channelId: `UC${word}${'A'.repeat(11)}`, contentType: 'shorts' })],
    ['/channel/playlists', (word) => ({ channelId: `UC${word}${'A'.repeat(11)}`, contentType: 'releases' })],
    ['/channel/posts', (word) => ({ channelId: `UC${word}${'A'.repeat(11)}` })],
    ['/channel/id-from-handle', (word) => ({ handle: word })],
    ['/hashtag', (word) => ({ tag: word })],
  ];

  test.each(Object.entries(faults))('%s is reported as %o by every endpoint', async (word, [code, statusCode]) => {
    const answerTo = async ([path, query]: (typeof queries)[number]) => {
      const { status, body } = await ask(path, query(word));
      const { code, statusCode: suggested, retryable } = body.error ?? {};
      return [path, status, code, suggested, retryable, Object.keys(body.metadata)];
    };
    const responses: unknown[] = [];
    // Many concurrent responses of 64 MB would measure the machine instead.
    if (word === 'lab-is-slow') responses.push(...(await Promise.all(queries.map(answerTo))));
    else for (const one of queries) responses.push(await answerTo(one));
    expect(responses).toEqual(queries.map(([path]) => [path, 200, code, statusCode, true, []]));
  });
});
