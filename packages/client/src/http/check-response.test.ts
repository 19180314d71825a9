import { describe, expect, test } from 'vitest';
import { createTestClient, jsonResponse } from '../testing/test-client.ts';
import { faultOfResponse } from './check-response.ts';

const output = { url: 'https://a.example/f', size: 1, notes: [] };
const event = { job_id: 'a', status: 'done', progress: 100, output };

describe('faultOfResponse', () => {
  test.each([
    ['a right event', event],
    ['members and states that it does not know', { ...event, status: 'resting', more: { than: ['now'] } }],
    ['members that older versions lack', { job_id: 'a', status: 'queued' }],
    ['null where the contract allows it', { ...event, output: null, error: null }],
    ['a size of many digits', { ...event, output: { ...output, size: 1e308 } }],
  ])('accepts %s', (_name, value) => {
    expect(faultOfResponse(value, 'RenderStatusEvent')).toBeUndefined();
  });

  test.each([
    ['it is not an object but null', null],
    ['it is not an object but a list', []],
    ['job_id is missing', { status: 'done' }],
    ['job_id is not text but 5', { ...event, job_id: 5 }],
    ['progress is not a number from 0 to 100 but 101', { ...event, progress: 101 }],
    ['progress is not a number from 0 to 100 but "50"', { ...event, progress: '50' }],
    ['progress is not a number from 0 to 100 but an object', { ...event, progress: { toString: null } }],
    ['output.size is missing', { ...event, output: { url: output.url } }],
    ['output.size is not a whole number from 0 but -1', { ...event, output: { ...output, size: -1 } }],
    ['output.notes is not a list but an object', { ...event, output: { ...output, notes: { length: 1 } } }],
    [
      'output.notes.1.message is missing',
      { ...event, output: { ...output, notes: [{ code: 'a', message: 'b' }, { code: 'a' }] } },
    ],
    ['retryable is not true or false but 1', { ...event, retryable: 1 }],
  ])('returns: %s', (fault, value) => {
    expect(faultOfResponse(value, 'RenderStatusEvent')).toBe(fault);
  });

  test.each(['file:///etc/passwd', 'javascript:alert(1)', 'data:text/plain,a', '//a.example/', 'http://', ''])(
    'refuses the link %j',
    (url) => {
      expect(faultOfResponse({ ...event, output: { ...output, url } }, 'RenderStatusEvent')).toMatch(
        /^output\.url is not an http or https URL but "/,
      );
    },
  );

  test('refuses a link whose host takes long to convert', () => {
    // The platform's parser takes 100 ms for each, and a response can have thousands.
    const hanzi = Array.from({ length: 5_400 }, (_, index) => String.fromCodePoint(0x4e_00 + index)).join('');
    const url = `https://${hanzi}.example/`;
    expect(faultOfResponse({ ...event, output: { ...output, url } }, 'RenderStatusEvent')).toMatch(/^output\.url /);
  });

  test('refuses nesting in members that no shape names', () => {
    let deep: unknown = [];
    for (let level = 0; level < 10_000; level += 1) deep = { deep };
    expect(faultOfResponse({ ...event, deep }, 'RenderStatusEvent')).toBe('it has more than 100 levels');
    expect(faultOfResponse({ deep }, undefined)).toBe('it has more than 100 levels');
  });

  test('quotes long values only in part', () => {
    expect(faultOfResponse({ ...event, progress: 'x'.repeat(1_000) }, 'RenderStatusEvent')?.length).toBeLessThan(130);
  });
});

test('a malformed response is an error that names the request and the member, and is not retried', async () => {
  const { client, requests } = createTestClient(() => jsonResponse({ error: null, metadata: { title: 5 } }));
  await expect(client.extract('p1', 'video/details', { videoId: 'a' })).rejects.toMatchObject({
    fault: 'malformed',
    retryable: false,
    message: expect.stringContaining(
      'https://api.example/p1/v3/video/details sent a malformed response: metadata.title is not text but 5.',
    ),
  });
  expect(requests).toHaveLength(1);
});

test('a response without metadata, as "fields" selects it, has empty metadata', async () => {
  const { client } = createTestClient(() => jsonResponse({ error: null, contents: [] }));
  const parameters = { videoId: 'a', fields: ['contents.videos'] } as const;
  const response = await client.extract('p1', 'video/details', parameters);
  expect(response).toEqual({ error: null, contents: [], metadata: {} });
});

test('a list without end ends if its pages repeat, or have no items', async () => {
  const page = (results: object[], nextToken: string) =>
    jsonResponse({ error: null, metadata: { additionalData: { searchResults: { results, nextToken } } } });
  const repeated = createTestClient(() => page([{ type: 'video', id: 'a' }], 'same'));
  expect(await Array.fromAsync(repeated.client.items('p1', 'search', { query: 'a' }))).toHaveLength(2);
  const empty = createTestClient((_, attempt) => page([], `token ${attempt}`));
  expect(await Array.fromAsync(empty.client.items('p1', 'search', { query: 'a' }))).toEqual([]);
  expect(empty.requests).toHaveLength(20);
});
