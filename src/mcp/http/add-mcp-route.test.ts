import fastify, { type FastifyRequest } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { addClientAddress } from '../../http/client-address.ts';
import { disconnectSignal } from '../../http/disconnect-signal.ts';
import { createPlatforms, defaultSettings } from '../../platforms/index.ts';
import { addMcpRoute } from './add-mcp-route.ts';
import { createInternalFetch } from './internal-fetch.ts';

const addresses = {
  base: 'https://millrace.example/media',
  api: 'https://api.example',
  render: 'https://files.example',
};
const platforms = createPlatforms(defaultSettings);
const account = { id: 'one', plan: { name: 'PRO' } };

/** Starts a server with the endpoint, and with a search that never responds. */
async function serve() {
  const app = fastify();
  addClientAddress(app, ['127.0.0.1']);
  onTestFinished(() => app.close());
  const searches: { readonly request: FastifyRequest; readonly signal: AbortSignal }[] = [];
  // The cast is safe: the endpoint only needs to know that the key exists.
  const keys = { find: async (_: string, key: string) => (key === 'valid' ? account : undefined) } as never;
  addMcpRoute(app, {
    platforms,
    marketplace: { keys, plans: {} as never, host: undefined, proxySecret: undefined },
    addresses: () => addresses,
    version: '1',
  });
  app.get('/p1/v3/search', (request, reply) => {
    searches.push({ request, signal: disconnectSignal(reply) });
  });
  const facts: FastifyRequest['accessFacts'][] = [];
  app.addHook('onResponse', async ({ accessFacts }) => void facts.push(accessFacts));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url, app, searches, facts };
}

const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'x-marketplace-key': 'valid',
  'x-marketplace-host': 'api.example',
  'x-forwarded-for': '192.0.2.7',
  cookie: 'a=b',
};
const body = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'search', arguments: { query: 'bridges' } },
});

test('a request of a tool has the keys and the address of the caller, and ends when the caller disconnects', async () => {
  const { url, searches } = await serve();
  const leaving = new AbortController();
  const response = fetch(`${url}/mcp`, { method: 'POST', headers, body, signal: leaving.signal }).then((sent) =>
    sent.text(),
  );
  await expect.poll(() => searches.length).toBe(1);
  const { request, signal } = searches[0] ?? expect.unreachable();
  expect([request.query, request.clientAddress]).toEqual([{ query: 'bridges' }, '192.0.2.7']);
  expect(request.headers).toMatchObject({ 'x-marketplace-key': 'valid', 'x-marketplace-host': 'api.example' });
  expect(request.headers).not.toHaveProperty('cookie');
  expect(signal.aborted).toBe(false);
  leaving.abort();
  await expect(response).rejects.toThrow(/abort/i);
  await expect.poll(() => signal.aborted).toBe(true);
});

test.each([
  'https://millrace.example/other',
  'https://millrace.example.evil.example/media/health',
  'https://evil.example/api/v1/usage',
  'http://api.example/api/v1/usage',
  'file:///etc/passwd',
])('%s is not an address of the service', async (url) => {
  const { app } = await serve();
  const caller = { id: 'a', headers: {}, raw: { socket: {} } } as never;
  await expect(createInternalFetch(app, addresses, caller)(url)).rejects.toThrow('only addresses of this service');
});

test.each([
  ['https://millrace.example', 401],
  ['https://api.example', 401],
  ['https://evil.example', 403],
  ['null', 403],
])('a request of a page of %s without a key gets %i', async (origin, status) => {
  const { url } = await serve();
  const { 'x-marketplace-key': _, ...keyless } = headers;
  const response = await fetch(`${url}/mcp`, { method: 'POST', headers: { ...keyless, origin }, body });
  // This server has no error handler, which maps errors to their status.
  expect(await response.json()).toMatchObject({
    message: expect.stringMatching(status === 401 ? /no API key/ : /other sites/),
  });
});

test('the log states the key of a request', async () => {
  const { url, facts } = await serve();
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  await fetch(`${url}/mcp`, { method: 'POST', headers, body: ping });
  await expect.poll(() => facts).toEqual([{ keyId: 'one', plan: 'PRO' }]);
});

test('a list of messages is rejected, because one request would start many calls', async () => {
  const { url, searches } = await serve();
  const response = await fetch(`${url}/mcp`, { method: 'POST', headers, body: `[${body},${body}]` });
  expect(await response.json()).toMatchObject({ message: expect.stringContaining('one message per request') });
  expect(searches).toEqual([]);
});

test.each([
  ['id', { id: 'x'.repeat(201) }],
  ['params._meta.progressToken', { params: { name: 'search', _meta: { progressToken: 'x'.repeat(201) } } }],
])('a message with a long %s is refused, because responses would repeat it', async (path, members) => {
  const { url } = await serve();
  const message = JSON.stringify({ ...JSON.parse(body), ...members });
  const response = await fetch(`${url}/mcp`, { method: 'POST', headers, body: message });
  expect(await response.text()).toContain(`${path} must not have more than 200 characters`);
});
