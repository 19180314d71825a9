import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import type { Endpoint } from '../../platforms/platform.ts';
import { UnreadResponseError } from '../../platforms/unread.ts';
import { priceOfFailure } from './prices.ts';

function endpoint(credits: Endpoint['credits']): Endpoint {
  return {
    path: '/video/details',
    summary: 'A video.',
    parameters: Type.Object({}),
    credits,
    contents: true,
    subjects: () => ({}),
    extract: () => Promise.reject(new Error('not here')),
  };
}

const unreadable = new UnreadResponseError('The response could not be read.', { newRenderer: 1 });
const usual = { usual: 1, relayedOrRendered: 2 };

describe('the price of a failure', () => {
  test.each([
    ['of one price', 1],
    ['of two prices', usual],
    ['that charges only for success', { ifSuccessful: 5 }],
  ])('is 0 for a response that could not be read, from an endpoint %s', (_kind, credits) => {
    expect(priceOfFailure(endpoint(credits), {}, unreadable)).toBe(0);
    expect(priceOfFailure(endpoint(credits), { urlAccess: 'proxied' }, unreadable)).toBe(0);
  });

  test('is the usual price for a refusal and a failure of the source', () => {
    expect(priceOfFailure(endpoint(1), {}, new MillraceError('not_found', 'No.'))).toBe(1);
    expect(priceOfFailure(endpoint(usual), { urlAccess: 'proxied' }, new MillraceError('unavailable', 'No.'))).toBe(2);
    expect(priceOfFailure(endpoint(1), {}, new MillraceError('non_2xx_response', 'No.'))).toBe(1);
    expect(priceOfFailure(endpoint({ ifSuccessful: 5 }), {}, new MillraceError('not_found', 'No.'))).toBe(0);
  });

  test('is 0 for faults of the request and of the service', () => {
    expect(priceOfFailure(endpoint(1), {}, new MillraceError('invalid_params', 'No.'))).toBe(0);
    expect(priceOfFailure(endpoint(1), {}, new MillraceError('unexpected_error', 'No.'))).toBe(0);
  });
});
