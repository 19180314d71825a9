import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { nextTokenParameter } from '../../contract/parameters.ts';
import type { Endpoint } from '../../platforms/platform.ts';
import { createSealer } from '../../sealing/sealer.ts';
import { openPages } from './page-tokens.ts';
import { createRequestReader } from './read-request.ts';

const sealer = createSealer(['a secret of the tests']);
const endpoint: Endpoint = {
  path: '/list',
  summary: 'A list',
  parameters: Type.Object({ id: Type.String(), nextToken: Type.Optional(nextTokenParameter) }),
  credits: 1,
  contents: false,
  subjects: () => ({}),
  extract: () => Promise.reject(new Error('not here')),
};

describe('a request', () => {
  test('is parsed once per URL', () => {
    const readRequest = createRequestReader('p9', endpoint, sealer);
    const first = readRequest('/p9/v3/list?id=a', { id: 'a' });
    expect(first.parameters).toEqual({ id: 'a' });
    expect(readRequest('/p9/v3/list?id=a', { id: 'a' })).toBe(first);
    expect(readRequest('/p9/v3/list?id=b', { id: 'b' }).parameters).toEqual({ id: 'b' });
  });

  test('that is invalid is rejected every time', () => {
    const readRequest = createRequestReader('p9', endpoint, sealer);
    for (let time = 0; time < 2; time += 1) {
      expect(() => readRequest('/p9/v3/list', {})).toThrow(expect.objectContaining({ code: 'params_not_found' }));
    }
  });

  test('with a page token is parsed every time, because tokens expire', () => {
    const readRequest = createRequestReader('p9', endpoint, sealer);
    const nextToken = openPages(sealer, 'p9/list', { id: 'a' }).token('page 2', {}) ?? '';
    const query = { id: 'a', nextToken };
    const url = `/p9/v3/list?${new URLSearchParams(query)}`;
    expect(readRequest(url, query).query.pages.cursor).toBe('page 2');
    expect(readRequest(url, query)).not.toBe(readRequest(url, query));
  });
});
