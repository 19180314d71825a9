import { describe, expect, test } from 'vitest';
import { createTestClient, errorResponse, jsonResponse } from './testing/test-client.ts';

const webhook = { url: 'https://hooks.example/', secret: 'a secret of 16 characters' };

describe('the calls about an account', () => {
  test('send the render key if there is one, or else the extraction key', async () => {
    const extraction = createTestClient(() => jsonResponse({ plan: 'PRO' }));
    expect(await extraction.client.usage()).toEqual({ plan: 'PRO' });
    const [first] = extraction.requests;
    expect([first?.method, first?.url.href]).toEqual(['GET', 'https://api.example/api/v1/usage']);
    expect(Object.fromEntries(first?.headers ?? [])).toEqual({
      'x-marketplace-key': 'a-key',
      'x-marketplace-host': 'api.example',
    });
    const render = createTestClient(() => jsonResponse({}), { renderKey: 'r', apiUrl: 'https://direct.example' });
    await render.client.usage();
    const [second] = render.requests;
    expect(second?.url.origin).toBe('https://direct.example');
    expect(Object.fromEntries(second?.headers ?? [])).toEqual({ authorization: 'Bearer r' });
  });

  test.each([
    ['list', 'GET', '/api/v1/webhooks', undefined],
    ['add', 'POST', '/api/v1/webhooks', webhook],
    ['delete', 'DELETE', '/api/v1/webhooks/a%2Fb', undefined],
    ['test', 'POST', '/api/v1/webhooks/test', { webhookId: 'a/b' }],
  ] as const)('webhooks.%s sends %s %s', async (name, method, path, body) => {
    const { client, requests } = createTestClient(() => jsonResponse({ webhooks: ['listed'] }));
    const { webhooks } = client;
    const calls = {
      list: () => webhooks.list(),
      add: () => webhooks.add(webhook),
      delete: () => webhooks.delete('a/b'),
      test: () => webhooks.test({ webhookId: 'a/b' }),
    };
    const result = await calls[name]();
    expect(result).toEqual(name === 'list' ? ['listed'] : { webhooks: ['listed'] });
    const [request] = requests;
    expect([request?.method, request?.url.pathname]).toEqual([method, path]);
    expect(request?.body === undefined ? undefined : JSON.parse(request.body)).toEqual(body);
  });
});

/** Has the members that the client needs in the responses below. */
const jobResponse = {
  jobId: 'job-1',
  status: 'queued',
  message: 'The job was queued.',
  sseStatusUrl: 'https://api.example/status',
  jobs: [],
};

describe('the calls about the jobs of an account', () => {
  test.each([
    ['list', 'GET', '/api/v1/render/jobs?state=done%2Cfailed&limit=5&cursor=c'],
    ['retry', 'POST', '/api/v1/render/jobs/job-1/retry'],
    ['delete', 'DELETE', '/api/v1/render/jobs/job-1?finished=delete'],
    ['redeliver', 'POST', '/api/v1/render/jobs/job-1/deliveries/d/redeliver'],
  ] as const)('renders.%s sends %s %s', async (name, method, path) => {
    const { client, requests } = createTestClient(() => jsonResponse(jobResponse), { renderKey: 'r' });
    const { renders } = client;
    const calls = {
      list: () => renders.list({ states: ['done', 'failed'], limit: 5, cursor: 'c' }),
      retry: () => renders.retry('job-1'),
      delete: () => renders.delete('job-1'),
      redeliver: () => renders.redeliver('job-1', 'd'),
    };
    await calls[name]();
    const [request] = requests;
    expect([request?.method, `${request?.url.pathname}${request?.url.search}`]).toEqual([method, path]);
    expect(request?.headers.get('authorization')).toBe('Bearer r');
  });

  test('an extraction key is sent with them, and with no start', async () => {
    const { client, requests } = createTestClient(() => jsonResponse(jobResponse));
    await client.renders.retry('job-1');
    await client.renders.start({ inputs: [], output: { ext: 'mp4' }, operation: { type: 'convert_format' } });
    expect(requests.map(({ headers }) => headers.get('x-marketplace-key'))).toEqual(['a-key', null]);
  });

  test('renders.list sends no parameters by default', async () => {
    const { client, requests } = createTestClient(() => jsonResponse({ jobs: [], nextCursor: null }));
    expect(await client.renders.list()).toEqual({ jobs: [], nextCursor: null });
    expect(requests[0]?.url.search).toBe('');
  });

  test('throw the error of the service', async () => {
    const { client } = createTestClient(() => errorResponse(409, 'conflict', { retryable: false }));
    await expect(client.renders.retry('job-1')).rejects.toMatchObject({ code: 'conflict', statusCode: 409 });
  });
});
