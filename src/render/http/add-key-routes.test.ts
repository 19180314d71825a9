import Fastify, { type FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import type { Marketplace } from '../../accounts/authenticate.ts';
import type { Account, Keys } from '../../accounts/keys.ts';
import { renderRoutes } from '../../contract/render-api/routes.ts';
import type { AccessFacts } from '../../http/access-log.ts';
import { addKeyAuthenticatedRoute } from './add-key-authenticated-route.ts';
import { addKeyHolderRoute } from './add-key-holder-route.ts';
import { createJobRates } from './job-rates.ts';

// The routes use only these members of an account.
const account = { id: 'render:1', plan: { name: 'PRO' }, ended: false } as unknown as Account;
const keys: Pick<Keys, 'find'> = { find: async () => account };
// Its other members concern marketplaces.
const marketplace = { keys } as unknown as Marketplace;
const jobRates = createJobRates({ perMinute: 1_000, burst: 1_000 });
const unused = () => Promise.reject(new Error('the request is not valid'));

test.each<[string, (app: FastifyInstance) => void, string]>([
  [
    'a render key',
    (app) => addKeyAuthenticatedRoute(app, renderRoutes.startJob, keys, unused),
    renderRoutes.startJob.path,
  ],
  [
    'either key',
    (app) => addKeyHolderRoute(app, renderRoutes.createWebhook, { marketplace, jobRates }, unused),
    renderRoutes.createWebhook.path,
  ],
])('the log names the key of a request with %s whose body is not valid', async (_name, add, url) => {
  const app = Fastify();
  onTestFinished(() => app.close());
  let facts: AccessFacts | undefined;
  app.addHook('onResponse', async (request) => {
    facts = request.accessFacts;
  });
  add(app);
  await app.inject({ method: 'POST', url, headers: { authorization: 'Bearer some-key' }, payload: {} });
  expect(facts).toEqual({ keyId: 'render:1', plan: 'PRO' });
});
