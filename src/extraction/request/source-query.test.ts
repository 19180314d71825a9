import fc from 'fast-check';
import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { countryCodeParameter, fieldsParameter, langParameter, nextTokenParameter } from '../../contract/parameters.ts';
import { createPlatforms, defaultSettings } from '../../platforms/index.ts';
import type { Endpoint } from '../../platforms/platform.ts';
import { createSealer } from '../../sealing/sealer.ts';
import { propertyRuns } from '../../testing/property-runs.ts';
import { type QueryParameters, readParameters } from './read-parameters.ts';
import { type SourceQuery, sourceQueryOf } from './source-query.ts';

const sealer = createSealer(['a secret of the tests']);
const platforms = createPlatforms(defaultSettings);

function endpointAt(path: string): Endpoint {
  const endpoint = platforms[0]?.endpoints.find((endpoint) => endpoint.path === path);
  if (endpoint === undefined) throw new Error(`p1 has no ${path}`);
  return endpoint;
}

const queryOf = (endpoint: Endpoint, parameters: QueryParameters): SourceQuery =>
  sourceQueryOf('p1', endpoint, readParameters(endpoint.parameters, parameters), sealer);
const details = (parameters: QueryParameters = {}) =>
  queryOf(endpointAt('/video/details'), { videoId: 'lab-plain30', ...parameters });
const search = (parameters: QueryParameters = {}) => queryOf(endpointAt('/search'), { query: 'mills', ...parameters });

describe('requests with the same source query', () => {
  test.each<[string, SourceQuery, SourceQuery]>([
    [
      'the case of lang and countryCode',
      details({ lang: 'DE', countryCode: 'fr' }),
      details({ lang: 'de', countryCode: 'FR' }),
    ],
    ['the order of parameters', details({ lang: 'de', countryCode: 'FR' }), details({ countryCode: 'FR', lang: 'de' })],
    ['the order and the duplicates of a list', search({ features: 'hd,4k,hd' }), search({ features: '4k,hd' })],
    ['a list that is repeated', search({ features: ['hd', '4k'] }), search({ features: 'hd,4k' })],
    ['an explicit default', search({ uploadDate: 'all', duration: 'all' }), search()],
    ['white space around a value, and empty values', search({ lang: '', query: ' mills ' }), search()],
    ['unknown parameters', details({ colour: 'red' }), details()],
    ['formats to render', details({ renderableFormats: 'all' }), details()],
    ['relayed links', details({ urlAccess: 'proxied' }), details()],
    [
      'kinds of media among the contents',
      details({ fields: 'contents.videos' }),
      details({ fields: 'contents.audios' }),
    ],
    ['everything by name', details({ fields: 'contents,metadata' }), details()],
    [
      'omitted parts that do not change the query',
      details({ fields: '-metadata.comments,-contents.images' }),
      details(),
    ],
  ])('can differ in %s', (_what, a, b) => {
    expect(a.key).toBe(b.key);
    expect(a.parameters).toEqual(b.parameters);
    for (const part of ['contents', 'contents.videos', 'metadata.author', 'metadata.comments'] as const) {
      expect(a.isRequested(part)).toBe(b.isRequested(part));
    }
  });
});

describe('requests with different source queries', () => {
  test.each<[string, SourceQuery, SourceQuery]>([
    ['another id', details({ videoId: 'lab-old-30s' }), details()],
    ['the case of an id', details({ videoId: 'LAB-plain30' }), details()],
    ['another language', details({ lang: 'de' }), details()],
    ['another country', details({ countryCode: 'DE' }), details({ countryCode: 'FR' })],
    ['another endpoint', queryOf(endpointAt('/search/video'), { query: 'mills' }), search()],
    ['omitted parts', details({ fields: 'metadata.author' }), details()],
    ['the omitted parts', details({ fields: 'metadata.author' }), details({ fields: 'contents' })],
    [
      'a default that overrides another parameter',
      search({ prioritize: 'relevance', sortBy: 'view_count' }),
      search({ sortBy: 'view_count' }),
    ],
  ])('differ in %s', (_what, a, b) => {
    expect(a.key).not.toBe(b.key);
  });

  test('differ in the platform', () => {
    const endpoint = endpointAt('/video/details');
    const keys = ['p1', 'p5'].map((id) => sourceQueryOf(id, endpoint, { videoId: 'lab-plain30' }, sealer).key);
    expect(new Set(keys).size).toBe(2);
  });
});

const endpoint: Endpoint = {
  path: '/list',
  summary: 'A list',
  parameters: Type.Object({
    name: Type.String(),
    lang: Type.Optional(langParameter),
    countryCode: Type.Optional(countryCodeParameter),
    kinds: Type.Optional(Type.Array(Type.Enum(['a', 'b', 'c']))),
    fields: Type.Optional(fieldsParameter),
    nextToken: Type.Optional(nextTokenParameter),
  }),
  credits: 1,
  contents: false,
  subjects: () => ({}),
  extract: () => Promise.reject(new Error('not here')),
};

describe('page tokens', () => {
  test('with the same cursor give the same query, however often the cursor was sealed', () => {
    const { pages } = queryOf(endpoint, { name: 'x' });
    const tokens = [pages.token('cursor', {}), pages.token('cursor', {}), pages.token('other', {})].map(String);
    expect(new Set(tokens).size).toBe(3);
    const [a, b, other] = tokens.map((nextToken) => queryOf(endpoint, { name: 'x', nextToken }));
    expect(a?.key).toBe(b?.key);
    expect(a?.key).not.toBe(other?.key);
    expect(a?.pages.cursor).toBe('cursor');
    expect(a?.parameters).not.toHaveProperty('nextToken');
  });

  test('work for equivalent requests in another spelling', () => {
    const token = String(queryOf(endpoint, { name: 'x', kinds: 'b,a', lang: 'DE' }).pages.token('cursor', {}));
    const query = { name: 'x', kinds: 'a,b,a', lang: 'de', fields: 'metadata', nextToken: token };
    expect(queryOf(endpoint, query).pages.cursor).toBe('cursor');
    expect(queryOf(endpoint, { ...query, kinds: ['b', 'a'] }).pages.cursor).toBe('cursor');
    expect(() => queryOf(endpoint, { ...query, kinds: 'a' })).toThrow(/other parameters/);
  });
});

test('two requests have the same key if and only if they send the same query to the site', () => {
  const kinds = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 });
  const request = fc.record(
    {
      name: fc.constantFrom('x', 'X', 'y"', '["x"]'),
      lang: fc.constantFrom('de', 'DE', 'fr', ''),
      // A csv parameter in both of its forms.
      kinds: fc.oneof(kinds, kinds.map(String)),
    },
    { requiredKeys: ['name'] },
  );
  const meaningOf = ({ name, lang = '', kinds = '' }: { name: string; lang?: string; kinds?: string | string[] }) =>
    JSON.stringify([name, lang.toLowerCase(), [...new Set(String(kinds).split(','))].toSorted()]);
  fc.assert(
    fc.property(request, request, (a, b) => {
      expect(queryOf(endpoint, a).key === queryOf(endpoint, b).key).toBe(meaningOf(a) === meaningOf(b));
    }),
    { seed: 6, numRuns: propertyRuns(500) },
  );
});

test('the parameters of a query have nothing of the text that the platform ignores, unless it refuses them', () => {
  const text = 'Look at https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=more, and then at this';
  expect(details({ videoId: text }).parameters).toEqual({ videoId: 'dQw4w9WgXcQ' });
  expect(details({ videoId: text }).key).toBe(details({ videoId: 'dQw4w9WgXcQ' }).key);
  expect(details({ videoId: 'no video' }).parameters).toEqual({ videoId: 'no video' });
});

describe('the item of a query', () => {
  const item = (index: number, path: string, parameters: QueryParameters) => {
    const platform = platforms[index];
    const endpoint = platform?.endpoints.find((one) => one.path === path);
    if (platform === undefined || endpoint === undefined) throw new Error(`platform ${index} has no ${path}`);
    return sourceQueryOf(platform.id, endpoint, readParameters(endpoint.parameters, parameters), sealer).item;
  };
  const video = (parameters: QueryParameters) => item(0, '/video/details', parameters);

  test('is the same for each way to write a link, and for each language', () => {
    const same = [
      { videoId: 'dQw4w9WgXcQ' },
      { videoId: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&n=1' },
      { videoId: 'https://youtu.be/dQw4w9WgXcQ?n=2#n', lang: 'de' },
    ];
    expect(new Set(same.map(video)).size).toBe(1);
  });

  test('differs for other items, countries and searches', () => {
    const others = [
      video({ videoId: 'dQw4w9WgXcQ' }),
      video({ videoId: 'dQw4w9WgXcR' }),
      video({ videoId: 'dQw4w9WgXcQ', countryCode: 'FR' }),
      item(0, '/search', { query: 'a' }),
      item(0, '/search', { query: 'b' }),
    ];
    expect(new Set(others).size).toBe(others.length);
  });

  test('has nothing of what can be appended to a link that the platform must look up', () => {
    const share = (suffix: string) => item(2, '/post/details', { url: `https://fb.watch/abc${suffix}` });
    expect(share('?n=1')).toBe(share('?n=2#a'));
    expect(share('?n=1')).toBe(item(2, '/post/details', { url: 'look: https://fb.watch/abc and then more' }));
    expect(share('?n=1')).not.toBe(item(2, '/post/details', { url: 'https://fb.watch/abd?n=1' }));
  });
});
