import { expect, test } from 'vitest';
import { serviceCaller } from '../../contract/caller.ts';
import type { Egress, EgressRequest } from '../../egress/egress.ts';
import { createSourceClient } from './source-client.ts';

const never = new AbortController().signal;

/** Creates an exit that responds to every request with a text. */
function answering(text: string) {
  const requests: EgressRequest[] = [];
  const egress: Egress = {
    async exchange(request, receive) {
      requests.push(request);
      const head = { status: 200, headers: {}, url: request.url };
      await receive(head)?.write(Buffer.from(text));
      return head;
    },
    close: () => Promise.resolve(),
  };
  return { source: createSourceClient(egress, serviceCaller, never), requests };
}

test('the source client posts JSON', async () => {
  const { source, requests } = answering('{"ok":true}');
  const answer = await source.post('https://a.example/x', { a: 'ü' }, { headers: { 'user-agent': 'u' } });
  expect(answer).toMatchObject({ status: 200, text: '{"ok":true}' });
  expect(requests[0]).toMatchObject({
    method: 'POST',
    body: '{"a":"ü"}',
    headers: { origin: 'https://a.example', values: { 'content-type': 'application/json', 'user-agent': 'u' } },
  });
});

test('the source client posts a form', async () => {
  const { source, requests } = answering('');
  await source.post('https://a.example/x', new URLSearchParams({ a: 'ü b' }));
  expect(requests[0]).toMatchObject({
    body: 'a=%C3%BC+b',
    headers: { values: { 'content-type': 'application/x-www-form-urlencoded' } },
  });
});

test('the source client sends GET without a body', async () => {
  const { source, requests } = answering('');
  await source.get('https://a.example/x');
  expect(requests[0]).not.toHaveProperty('body');
  expect(requests[0]).not.toHaveProperty('method');
});

test('the source client follows redirects by default', async () => {
  const { source, requests } = answering('');
  await source.get('https://a.example/x');
  await source.get('https://a.example/x', { followRedirects: false });
  expect(requests.map(({ followRedirects }) => followRedirects)).toEqual([true, false]);
});

test('the source client rejects a body over 64 KiB without sending it', async () => {
  const { source, requests } = answering('');
  await expect(source.post('https://a.example/', { q: 'a'.repeat(65_536) })).rejects.toMatchObject({
    code: 'invalid_params',
  });
  expect(requests).toEqual([]);
});

test.each(['get', 'post'] as const)('the source client limits the response size of %s', async (method) => {
  const { source } = answering('a'.repeat(101));
  const response =
    method === 'get'
      ? source.get('https://a.example/', { maxBytes: 100 })
      : source.post('https://a.example/', {}, { maxBytes: 100 });
  await expect(response).rejects.toMatchObject({ code: 'invalid_response_data' });
});

test('the source client cancels a POST request at the timeout', async () => {
  const egress: Egress = {
    exchange: (request) =>
      new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason))),
    close: () => Promise.resolve(),
  };
  const response = createSourceClient(egress, serviceCaller, never).post('https://a.example/', {}, { timeout: 5 });
  await expect(response).rejects.toMatchObject({ code: 'operation_timeout' });
});
