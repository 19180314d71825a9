import { expect, test } from 'vitest';
import { MillraceApiError, MillraceRenderError } from '../errors.ts';
import { createTestClient, jsonResponse } from '../testing/test-client.ts';
import type { ResponseFacts } from './transport.ts';

test('each response is reported with its request ID and without the query', async () => {
  const responses: ResponseFacts[] = [];
  const handler = () => jsonResponse({ error: null, metadata: {} }, 200, { 'x-request-id': 'request-1' });
  const { client } = createTestClient(handler, { onResponse: (response) => void responses.push(response) });
  await client.extract('p1', 'video/details', { videoId: 'private' });
  expect(responses).toEqual([
    { method: 'GET', url: 'https://api.example/p1/v3/video/details', status: 200, requestId: 'request-1' },
  ]);
});

test.each([
  ['the body', { error: { code: 'other', message: 'x', requestId: 'request-1' } }, {}],
  ['the header, if a gateway replaced the body', {}, { 'x-request-id': 'request-1' }],
])('an error has the request ID of %s', async (_name, body, headers) => {
  const { client } = createTestClient(() => jsonResponse(body, 500, headers));
  const error = await client.extract('p1', 'video/details', { videoId: 'a' }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(MillraceApiError);
  expect(error).toMatchObject({ requestId: 'request-1' });
});

test('a failed render has the ID of the request that started it', () => {
  const event = { job_id: 'j', status: 'failed', progress: 1, output: null, created_at: '', expires_at: '' } as const;
  const failure = { error: 'x', error_code: 'other', retryable: false, input: null } as const;
  expect(new MillraceRenderError({ ...event, ...failure, request_id: 'request-1' }).requestId).toBe('request-1');
  expect(new MillraceRenderError({ ...event, ...failure, request_id: null }).requestId).toBeUndefined();
});
