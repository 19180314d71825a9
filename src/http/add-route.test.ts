import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import fastify, { type FastifyRequest } from 'fastify';
import Type from 'typebox';
import { expect, onTestFinished, test } from 'vitest';
import type { Route } from '../contract/render-api/route.ts';
import { addAuthenticatedRoute, addRoute } from './add-route.ts';

const route = {
  method: 'POST',
  path: '/things/{id}',
  summary: 'A thing',
  description: 'A thing.',
  address: 'base',
  renderKey: 'none',
  parameters: { schema: Type.Object({ id: Type.String() }), parse: (values) => refuseBad(values, 'id') },
  query: {
    schema: Type.Object({ size: Type.String() }),
    parse: (query) => ({ size: Number(refuseBad(query, 'size').size) }),
  },
  body: {
    schema: Type.Object({ name: Type.String() }),
    parse: (body) => String(refuseBad(body as Record<string, unknown>, 'name').name).toUpperCase(),
    example: { name: 'a' },
    limit: 100,
  },
  responses: {},
} as const satisfies Route;

function refuseBad(values: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  if (values[name] === 'bad') throw new Error(`bad ${name}`);
  return values;
}

function serve() {
  const app = fastify();
  onTestFinished(() => app.close());
  return app;
}

test('a handler receives the values that the parsers of the route return', async () => {
  const app = serve();
  addRoute(app, route, ({ params, query, body }, reply) => reply.send([params.id, query.size + 1, body]));
  const response = await app.inject({ method: 'POST', url: '/things/a?size=2', payload: { name: 'x' } });
  expect(response.json()).toEqual(['a', 3, 'X']);
});

test.each([
  ['/things/bad?size=bad', { name: 'bad' }, 'key', 'bad id'],
  ['/things/a?size=bad', { name: 'bad' }, undefined, 'no key'],
  ['/things/a?size=bad', { name: 'bad' }, 'key', 'bad size'],
  ['/things/a?size=1', { name: 'bad' }, 'key', 'bad name'],
])('%s is rejected by the first check that fails', async (url, payload, key, message) => {
  const app = serve();
  const authenticate = async ({ headers: { authorization } }: FastifyRequest) => {
    if (authorization === undefined) throw new Error('no key');
    return authorization;
  };
  addAuthenticatedRoute(app, route, authenticate, () => {
    throw new Error('handled');
  });
  const headers = key === undefined ? {} : { authorization: key };
  expect((await app.inject({ method: 'POST', url, headers, payload })).json()).toMatchObject({ message });
});

test('the body of a caller that is not authenticated is not read', async () => {
  const app = serve();
  const refuse = () => Promise.reject(Object.assign(new Error('no key'), { statusCode: 401 }));
  addAuthenticatedRoute(app, route, refuse, (_caller, _request, reply) => reply.send());
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const headers = { 'content-type': 'application/json', 'content-length': 20 };
  const call = httpRequest({ port, method: 'POST', path: '/things/a', headers });
  call.on('error', () => undefined).flushHeaders();
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(401);
  call.destroy();
});

test('the request body has the size limit of the route', async () => {
  const app = serve();
  addRoute(app, route, (_, reply) => reply.send());
  const payload = { name: 'x'.repeat(100) };
  expect((await app.inject({ method: 'POST', url: '/things/a', payload })).statusCode).toBe(413);
});

test('HEAD uses the handler of GET or a separate one, with the same checks', async () => {
  const app = serve();
  const { body: _, ...rest } = route;
  const get = { ...rest, method: 'GET' } as const satisfies Route;
  addRoute(app, get, (_, reply) => reply.header('x-handler', 'get').send());
  addRoute(app, { ...get, path: '/others/{id}' }, (_, reply) => reply.send(), {
    head: ({ query }, reply) => reply.header('x-handler', `head ${query.size}`).send(),
  });
  const head = (url: string) => app.inject({ method: 'HEAD', url });
  expect((await head('/things/a?size=1')).headers).toMatchObject({ 'x-handler': 'get' });
  expect((await head('/others/a?size=1')).headers).toMatchObject({ 'x-handler': 'head 1' });
  expect((await head('/things/a?size=bad')).statusCode).toBe(500);
  expect((await head('/others/a?size=bad')).statusCode).toBe(500);
  expect((await head('/others/bad?size=1')).statusCode).toBe(500);
});
