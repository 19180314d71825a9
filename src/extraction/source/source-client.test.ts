import { expect, test } from 'vitest';
import type { Egress, EgressRequest } from '../../egress/egress.ts';
import { createSourceClient } from './source-client.ts';

const never = new AbortController().signal;

/** A way out that answers every request with a text. */
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
  return { source: createSourceClient(egress, never), requests };
}

test('posts JSON', async () => {
  const { source, requests } = answering('{"ok":true}');
  const answer = await source.post('https://a.example/x', { a: 'ü' }, { headers: { 'user-agent': 'u' } });
  expect(answer).toMatchObject({ status: 200, text: '{"ok":true}' });
  expect(requests[0]).toMatchObject({
    method: 'POST',
    body: '{"a":"ü"}',
    headers: { origin: 'https://a.example', values: { 'content-type': 'application/json', 'user-agent': 'u' } },
  });
});

test('posts a form', async () => {
  const { source, requests } = answering('');
  await source.post('https://a.example/x', new URLSearchParams({ a: 'ü b' }));
  expect(requests[0]).toMatchObject({
    body: 'a=%C3%BC+b',
    headers: { values: { 'content-type': 'application/x-www-form-urlencoded' } },
  });
});

test('gets without a body', async () => {
  const { source, requests } = answering('');
  await source.get('https://a.example/x');
  expect(requests[0]).not.toHaveProperty('body');
  expect(requests[0]).not.toHaveProperty('method');
});

test('follows redirects unless told otherwise', async () => {
  const { source, requests } = answering('');
  await source.get('https://a.example/x');
  await source.get('https://a.example/x', { followRedirects: false });
  expect(requests.map(({ followRedirects }) => followRedirects)).toEqual([true, false]);
});

test('refuses a body over 64 KiB before it asks', async () => {
  const { source, requests } = answering('');
  await expect(source.post('https://a.example/', { q: 'a'.repeat(65_536) })).rejects.toMatchObject({
    code: 'invalid_params',
  });
  expect(requests).toEqual([]);
});

test.each(['get', 'post'] as const)('bounds the answer to %s', async (method) => {
  const { source } = answering('a'.repeat(101));
  const response =
    method === 'get'
      ? source.get('https://a.example/', { maxBytes: 100 })
      : source.post('https://a.example/', {}, { maxBytes: 100 });
  await expect(response).rejects.toMatchObject({ code: 'invalid_response_data' });
});

test('gives up a post when the time is over', async () => {
  const egress: Egress = {
    exchange: (request) =>
      new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason))),
    close: () => Promise.resolve(),
  };
  const response = createSourceClient(egress, never).post('https://a.example/', {}, { timeout: 5 });
  await expect(response).rejects.toMatchObject({ code: 'operation_timeout' });
});
