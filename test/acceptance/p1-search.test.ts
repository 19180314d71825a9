import { describe, expect, inject, test } from 'vitest';
import { findRequests } from '../support/lab-client.ts';
import { everyPage, type Item, idsOf, itemsOf, listOf, openP1, type Result } from '../support/p1-client.ts';

const ask = openP1(inject('serviceUrl'));
const labUrl = inject('labUrl');
const searches = ['/search', '/search/video', '/search/channel', '/search/playlist', '/search/movie'];
const types: Readonly<Record<string, string>> = {
  '/search/video': 'video',
  '/search/channel': 'channel',
  '/search/playlist': 'playlist',
  '/search/movie': 'movie',
};
const resultsOf = async (query: Readonly<Record<string, string>>, path = '/search/video') =>
  listOf((await ask(path, query)).body).items;
const bridges = { query: 'bridges' };

describe.each(searches)('%s', (path) => {
  test('returns results of its type, to the end', async () => {
    const { status, body } = await ask(path, bridges);
    expect([status, body.error]).toEqual([200, null]);
    expect(body).not.toHaveProperty('contents');
    expect(body.notes?.join()).toContain('1 credit');
    expect(body.metadata.additionalData?.searchResults?.estimated_results).toBeGreaterThan(1000);
    const pages = await everyPage(ask, path, bridges);
    expect(pages.length).toBeGreaterThan(3);
    const results = itemsOf(pages);
    expect(new Set(idsOf(results)).size).toBe(results.length);
    for (const item of results) {
      expect(item).toMatchObject({
        type: expect.stringMatching(/^(?:video|live|short|channel|playlist|mix|movie)$/),
        id: expect.stringMatching(/^[\w-]{11,}$/),
        title: expect.any(String),
        url: expect.stringMatching(/^https:\/\/www\.youtube\.com\//),
        thumbnails: expect.any(Array),
      });
      const only = types[path];
      if (only !== undefined) expect(item.type).toBe(only);
    }
  });

  test('returns an empty list with a note when nothing is found', async () => {
    const { status, body } = await ask(path, { query: 'labnothing' });
    expect([status, body.error]).toEqual([200, null]);
    expect(listOf(body)).toEqual({ items: [], nextToken: null });
    expect(body.metadata.additionalData?.searchResults?.estimated_results).toBe(0);
    expect(body.notes).toContain('No results found');
  });

  test.each([
    ['right-to-left text', 'جسور قديمة'],
    ['direction marks', '\u202eגשרים\u202c'],
    ['emoji', '🌉👨‍👩‍👧‍👦🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['Japanese', '橋の作り方'],
    ['operators and quotes', '"old bridges" -stone && <b>|%00\\'],
    ['a single letter', 'b'],
  ])('searches for a text: %s', async (_name, query) => {
    const { status, body } = await ask(path, { query });
    expect([status, body.error]).toEqual([200, null]);
    const [page, next] = (await everyPage(ask, path, { query })).slice(0, 2);
    expect(page?.items.length).toBeGreaterThan(0);
    expect(next?.items.length).toBeGreaterThan(0);
  });

  test.each([
    ['letters', 'a'.repeat(1_001)],
    ['letters, far over the limit', 'a'.repeat(3_000)],
    ['three-byte letters', '橋'.repeat(400)],
    ['emoji', '🌉'.repeat(300)],
  ])('refuses a query of many %s', async (_name, query) => {
    const { status, body } = await ask(path, { query });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'invalid_params', parameter: 'query', statusCode: 400 });
    expect(body.error?.message.length).toBeLessThan(400);
  });

  test.each(['a'.repeat(10_000), '🌉'.repeat(2_500)])(
    'refuses a query of 10 KB because the URL is too long',
    async (query) => {
      const { status, body } = await ask(path, { query });
      expect(status).toBe(414);
      expect(body).toMatchObject({ error: { code: 'invalid_params', statusCode: 414 }, metadata: {} });
    },
  );

  test('accepts a query of 1000 bytes, also for later pages', async () => {
    const query = '橋'.repeat(333);
    const pages = await everyPage(ask, path, { query });
    expect(pages.length).toBeGreaterThan(1);
  });
});

describe('an unfiltered search', () => {
  test('mixes kinds, names shelves and parses counts', async () => {
    const results = await resultsOf(bridges, '/search');
    expect(results[0]).toMatchObject({
      type: 'channel',
      handle: expect.stringMatching(/^@/),
      subscriberCount: expect.any(Number),
      subscriberCountText: expect.stringMatching(/subscribers?$/),
    });
    expect(results.filter(({ shelf }) => shelf === 'People also watched')).toHaveLength(1);
    expect(new Set(results.map(({ type }) => type))).toEqual(new Set(['channel', 'video', 'playlist']));
    expect(results.find(({ type }) => type === 'video')).toMatchObject({
      channel: { id: expect.stringMatching(/^UC/), name: expect.any(String) },
      viewCount: expect.any(Number),
      viewCountText: expect.stringMatching(/views?$/),
      duration: expect.any(Number),
      publishedText: expect.any(String),
    });
    expect(results.find(({ type }) => type === 'playlist')).toMatchObject({
      videoCount: expect.any(Number),
      videoCountText: expect.stringMatching(/videos$/),
    });
  });

  test('returns the details of a movie', async () => {
    const [film] = await resultsOf(bridges, '/search/movie');
    expect(film).toMatchObject({ type: 'movie', facts: expect.arrayContaining([expect.stringContaining('Director')]) });
  });

  test('omits entries of an unknown kind and adds a note', async () => {
    const { body } = await ask('/search', { query: 'labstrange' });
    expect(body.error).toBeNull();
    expect(listOf(body).items.length).toBeGreaterThan(10);
    for (const item of listOf(body).items)
      expect(item).toMatchObject({ type: expect.any(String), id: expect.any(String) });
    const notes = body.notes?.filter((note) => note.startsWith('Omitted')) ?? [];
    expect(notes).toContainEqual(expect.stringMatching(/2 entries.*labTeleportRenderer/));
    expect(notes).toContainEqual(expect.stringMatching(/1 entry.*lockupViewModel/));
  });
});

test('a search of which no result can be read returns an error', async () => {
  const { status, body } = await ask('/search', { query: 'labdrifted' });
  expect([status, body.error?.code, body.error?.statusCode]).toEqual([200, 'invalid_response_data', 502]);
});

describe('search parameters', () => {
  const withDefaults = { uploadDate: 'all', duration: 'all', prioritize: 'relevance', features: '', sortBy: '' };

  test.each(Object.entries(withDefaults))('ignore %s=%s', async (name, value) => {
    expect(await resultsOf({ ...bridges, [name]: value })).toEqual(await resultsOf(bridges));
  });

  test.each([
    ['today', 0],
    ['week', 6],
    ['month', 30],
    ['year', 366],
  ])('uploadDate=%s returns entries published at most %i days ago', async (uploadDate, days) => {
    const ages = (await resultsOf({ ...bridges, uploadDate })).map(daysOf);
    expect(ages.length).toBeGreaterThan(0);
    expect(Math.max(...ages)).toBeLessThanOrEqual(days);
  });

  test.each([
    ['under_three_mins', 0, 179],
    ['three_to_twenty_mins', 180, 1200],
    ['over_twenty_mins', 1201, Infinity],
  ])('duration=%s returns videos of %i to %d seconds', async (duration, least, most) => {
    const lengths = (await resultsOf({ ...bridges, duration })).map((item) => Number(item.duration));
    expect(lengths.length).toBeGreaterThan(0);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(least);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(most);
  });

  test('prioritize=popularity returns the most viewed first, over all pages', async () => {
    const query = { ...bridges, prioritize: 'popularity' };
    const views = itemsOf(await everyPage(ask, '/search/video', query)).map(({ viewCount }) => Number(viewCount));
    expect(views).toEqual(views.toSorted((a, b) => b - a));
    expect(views.length).toBeGreaterThan(50);
  });

  test('features=live returns live streams', async () => {
    const results = await resultsOf({ query: 'engines', features: 'live' });
    expect(results.length).toBeGreaterThan(0);
    expect(new Set(results.map(({ type }) => type))).toEqual(new Set(['live']));
  });

  // Members of YouTube's filter message for each feature; a requested feature is 1.
  test.each([
    ['360', 15],
    ['3d', 7],
    ['4k', 14],
    ['creative_commons', 6],
    ['hd', 4],
    ['hdr', 25],
    ['live', 8],
    ['location', 23],
    ['purchased', 9],
    ['subtitles', 5],
    ['vr180', 26],
  ])('features=%s sends member %i to YouTube', async (features, member) => {
    const query = `mills with ${features}`;
    const { body } = await ask('/search', { query, features });
    expect(body.error).toBeNull();
    expect(await filtersAsked(query)).toEqual([[member, 1]]);
  });

  test('features can be combined in any order, and duplicates are ignored', async () => {
    const [some, turned] = ['mills one way', 'mills the other way'];
    await ask('/search', { query: some, features: 'hd,subtitles,hdr' });
    await ask('/search', { query: turned, features: 'hdr,hd, subtitles,hd,,' });
    const members = [
      [4, 1],
      [5, 1],
      [25, 1],
    ];
    expect([await filtersAsked(some), await filtersAsked(turned)]).toEqual([members, members]);
  });

  test('can all be combined', async () => {
    const query = 'mills of all kinds';
    const { body } = await ask('/search/video', {
      query,
      uploadDate: 'month',
      duration: 'under_three_mins',
      features: 'hd,4k',
      prioritize: 'popularity',
    });
    expect(body.error).toBeNull();
    expect(await filtersAsked(query)).toEqual([
      [1, 4],
      [2, 1],
      [3, 4],
      [4, 1],
      [14, 1],
    ]);
    for (const item of listOf(body).items) expect(Number(item.duration)).toBeLessThan(180);
  });

  test.each([
    ['relevance', {}],
    ['rating', {}],
    ['upload_date', {}],
    ['view_count', { prioritize: 'popularity' }],
  ])('sortBy=%s still works, and adds a note that it is deprecated', async (sortBy, same) => {
    const { body } = await ask('/search/video', { ...bridges, sortBy });
    expect(body.notes?.join(' ')).toContain('sortBy is deprecated');
    expect(idsOf(listOf(body).items)).toEqual(idsOf(await resultsOf({ ...bridges, ...same })));
  });

  test('prioritize overrides sortBy', async () => {
    const { body } = await ask('/search/video', { ...bridges, sortBy: 'view_count', prioritize: 'relevance' });
    expect(body.notes?.join(' ')).toContain('prioritize=relevance was used');
    expect(idsOf(listOf(body).items)).toEqual(idsOf(await resultsOf(bridges)));
  });
});

describe('/search/suggestions', () => {
  const suggestions = ({ metadata }: Result) => metadata.additionalData?.searchSuggestions ?? [];

  test('returns texts that continue the query', async () => {
    const { status, body } = await ask('/search/suggestions', { query: 'old bri' });
    expect([status, body.error]).toEqual([200, null]);
    expect(body.notes?.join()).toContain('1 credit');
    expect(suggestions(body).length).toBeGreaterThan(5);
    for (const text of suggestions(body)) expect(text).toMatch(/^old bri/);
  });

  test('depends on previousQuery', async () => {
    const { body } = await ask('/search/suggestions', { query: 'old', previousQuery: 'stone bridges' });
    expect(suggestions(body)).toContain('old stone bridges');
  });

  test('returns an empty list when there are no suggestions', async () => {
    const { body } = await ask('/search/suggestions', { query: 'labnothing' });
    expect([body.error, suggestions(body)]).toEqual([null, []]);
  });

  test.each(['جسور', '🌉', '橋', '"&pq=<b>', '\u202eab'])('sends %s unchanged', async (query) => {
    const { body } = await ask('/search/suggestions', { query });
    expect(suggestions(body)[0]).toBe(query);
  });

  test('sends lang as the language', async () => {
    const query = 'spoken here';
    await ask('/search/suggestions', { query, lang: 'JA' });
    const [suggestionRequest] = (await findRequests(labUrl, { host: 'suggestqueries-clients6.youtube.com' })).filter(
      ({ path }) => new URLSearchParams(path.slice(path.indexOf('?'))).getAll('q').includes(query),
    );
    expect(suggestionRequest?.path).toMatch(/[?&]hl=ja(?:&|$)/);
  });

  test.each(['query', 'previousQuery'])(
    'refuses a long %s, and one of 10 KB because the URL is too long',
    async (name) => {
      const long = await ask('/search/suggestions', { query: 'a', [name]: 'a'.repeat(3_000) });
      expect([long.status, long.body.error?.code, long.body.error?.parameter]).toEqual([400, 'invalid_params', name]);
      const huge = await ask('/search/suggestions', { query: 'a', [name]: 'a'.repeat(10_000) });
      expect([huge.status, huge.body.error?.statusCode]).toEqual([414, 414]);
    },
  );
});

/** Returns the filter members that YouTube received with the first page of a search. */
async function filtersAsked(query: string): Promise<readonly (readonly number[])[]> {
  const requests = await findRequests(labUrl, { host: 'www.youtube.com', path: '/youtubei/v1/search' });
  const bodies = requests.map(({ body }) => JSON.parse(body) as { query?: string; params?: string });
  const params = bodies.findLast((body) => body.query === query)?.params ?? '';
  const bytes = [...Buffer.from(decodeURIComponent(params), 'base64url')];
  // The filters are member 2, a message in which every member is a small number.
  const start = bytes.indexOf((2 << 3) | 2);
  return pairsOf(bytes.slice(start + 2, start + 2 + (bytes[start + 1] ?? 0)));
}

/** Reads numeric members: a key of one or two bytes, then a value below 128. */
function pairsOf(bytes: readonly number[]): readonly (readonly number[])[] {
  const [low = 0, high = 0] = bytes;
  if (bytes.length === 0) return [];
  const size = low < 128 ? 1 : 2;
  const key = size === 1 ? low : (low & 127) | (high << 7);
  return [[key >> 3, bytes[size] ?? 0], ...pairsOf(bytes.slice(size + 1))];
}

/** Returns the approximate age of an entry in days, according to the site's text. */
function daysOf({ publishedText }: Item): number {
  const [, number, unit = ''] = /(\d+) (hour|day|week|month|year)/.exec(String(publishedText)) ?? [];
  const days: Readonly<Record<string, number>> = { hour: 0, day: 1, week: 7, month: 30, year: 365 };
  return Number(number) * (days[unit] ?? 0);
}
