import websocket from '@fastify/websocket';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Route } from '../../contract/render-api/route.ts';
import { linkRoutes, renderRoutes } from '../../contract/render-api/routes.ts';
import { plans } from '../../contract/subscription-plans.ts';
import { addAccountRoutes } from './account-routes.ts';
import { addBatchRoute } from './batch-routes.ts';
import { addFileRoutes } from './file-routes.ts';
import { addJobRoutes } from './job-routes.ts';
import { addStartRoutes } from './start-routes.ts';
import { addStatusRoutes } from './status-routes.ts';
import { addWebhookRoutes } from './webhook-routes.ts';

const routes: readonly Route[] = [...Object.values(renderRoutes), linkRoutes.downloadFile];

let app: FastifyInstance;
let servedRoutes: string[];

const keys = { find: async () => undefined };
/** Only `keys` is used, and it finds no key. */
const services = { keys, marketplace: { keys, plans, host: undefined, proxySecret: undefined } } as never;

beforeEach(async () => {
  servedRoutes = [];
  app = Fastify();
  await app.register(websocket);
  app.addHook('onRoute', ({ method, url }) => {
    servedRoutes.push(...[method].flat().map((each) => `${each} ${url}`));
  });
  addStartRoutes(app, services);
  addJobRoutes(app, services);
  addStatusRoutes(app, services);
  addFileRoutes(app, services);
  addBatchRoute(app, services, () => '');
  addWebhookRoutes(app, services);
  addAccountRoutes(app, services);
});
afterEach(() => app.close());

test('serves exactly the routes of the table, with HEAD for every GET', () => {
  const calls = routes.flatMap(({ method, path }) => {
    const url = path.replace(/\{(\w+)\}/g, ':$1');
    return (method === 'GET' ? ['GET', 'HEAD'] : [method]).map((each) => `${each} ${url}`);
  });
  expect(servedRoutes.toSorted()).toEqual(calls.toSorted());
});

test.each(routes.filter(({ renderKey }) => renderKey === 'required' || renderKey === 'either'))(
  'rejects requests without a key: $method $path',
  async ({ method, path }) => {
    const url = path.replace(/\{\w+\}/g, 'a');
    const page = { 'x-millrace-page': '1', 'sec-fetch-site': 'same-origin' };
    for (const headers of [{}, page]) {
      const response = await app.inject({ method, url, headers });
      expect(response.json()).toMatchObject({ code: 'unauthorized' });
    }
  },
);
