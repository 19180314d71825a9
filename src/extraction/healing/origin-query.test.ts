import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import type { ItemOrigin } from '../../contract/media-origin.ts';
import { responseParts } from '../../contract/parameters.ts';
import { createPlatforms, defaultSettings } from '../../platforms/index.ts';
import { createSealer } from '../../sealing/sealer.ts';
import { propertyRuns } from '../../testing/property-runs.ts';
import { readParameters } from '../request/read-parameters.ts';
import { sourceQueryOf } from '../request/source-query.ts';
import { originQuery } from './origin-query.ts';

const sealer = createSealer(['a secret of the tests']);
const platforms = createPlatforms(defaultSettings);

const origin: ItemOrigin = {
  platform: 'p1',
  endpoint: '/video/details',
  parameters: { videoId: 'lab-plain30' },
  content: 0,
};
const queryOf = (changes: Partial<ItemOrigin> = {}) => originQuery({ ...origin, ...changes }, platforms, sealer);

/** Returns the endpoints that return media. */
function mediaEndpoints() {
  return platforms.flatMap(({ id, endpoints }) =>
    endpoints.filter(({ contents }) => contents).map((endpoint) => ({ id, endpoint })),
  );
}

describe('the query of an origin', () => {
  test('requests the contents, and no other part', () => {
    const { isRequested } = queryOf();
    const others = ['metadata.author', 'metadata.additionalData', 'metadata.transcript'] as const;
    expect(others.map(isRequested)).toEqual([false, false, false]);
    const contents = responseParts.filter((part) => part.startsWith('contents'));
    expect(contents.every(isRequested)).toBe(true);
  });

  test('has the parameters of the origin, without those that have the default value', () => {
    const parameters = {
      videoId: 'lab-plain30',
      countryCode: 'FR',
      lang: 'de',
      getTranscript: 'false',
      fields: 'metadata',
    };
    expect(queryOf({ parameters }).parameters).toEqual({ videoId: 'lab-plain30', countryCode: 'FR', lang: 'de' });
  });

  test.each(mediaEndpoints())('has the same parameters as the first query of $id', ({ id, endpoint }) => {
    const names = Object.keys(endpoint.parameters.properties);
    const examples = Object.fromEntries(
      Object.entries(endpoint.parameters.properties).map(([name, schema]) => [
        name,
        'examples' in schema && Array.isArray(schema.examples) ? schema.examples[0] : undefined,
      ]),
    );
    const text = (name: string) => {
      const example: unknown = examples[name] ?? (endpoint.parameters.required?.includes(name) ? 'lab-plain30' : '');
      return Array.isArray(example) ? example.join(',') : String(example);
    };
    const request = readParameters(endpoint.parameters, Object.fromEntries(names.map((name) => [name, text(name)])));
    const { parameters } = sourceQueryOf(id, endpoint, request, sealer);
    const again = originQuery({ platform: id, endpoint: endpoint.path, parameters, content: 0 }, platforms, sealer);
    expect(again.parameters).toEqual(parameters);
  });
});

describe('an origin', () => {
  test.each<[string, Partial<ItemOrigin>]>([
    ['an unknown platform', { platform: 'p99' }],
    ['a platform named like a member of objects', { platform: '__proto__' }],
    ['the endpoint of another platform', { endpoint: '/post/details' }],
    ['an unknown endpoint', { endpoint: '/admin/unread' }],
    ['an endpoint without media', { endpoint: '/search', parameters: { query: 'mills' } }],
    ['no item', { parameters: {} }],
    ['an invalid parameter', { parameters: { videoId: 'lab-plain30', countryCode: 'https://10.0.0.1/' } }],
  ])('with %s causes no request', (_what, changes) => {
    expect(() => queryOf(changes)).toThrow(expect.objectContaining({ code: 'token_expired' }));
  });

  test('with a list of items in place of one does not select one of them', () => {
    const { parameters } = queryOf({ parameters: { videoId: ['lab-plain30', 'lab-plain60'] } });
    expect(parameters).toEqual({ videoId: 'lab-plain30,lab-plain60' });
  });

  test('of any form gives a query or a typed error', () => {
    const anyOrigin = fc.record({
      platform: fc.oneof(fc.constant('p1'), fc.anything()),
      endpoint: fc.oneof(fc.constant('/video/details'), fc.anything()),
      parameters: fc.oneof(
        fc.dictionary(fc.constantFrom('videoId', 'lang', 'countryCode'), fc.anything()),
        fc.anything(),
      ),
      content: fc.anything(),
    });
    fc.assert(
      fc.property(anyOrigin, (value) => {
        try {
          // The sealed data of another version can have any form.
          const { parameters } = originQuery(value as ItemOrigin, platforms, sealer);
          expect(typeof parameters.videoId).toBe('string');
        } catch (error) {
          expect(error).toBeInstanceOf(MillraceError);
        }
      }),
      { seed: 22, numRuns: propertyRuns(300) },
    );
  });
});
