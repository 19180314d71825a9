import type { FastifyInstance, FastifyRequest } from 'fastify';
import { authenticateExtraction } from '../accounts/authenticate.ts';
import { openSharedPlaces } from '../accounts/shared-places.ts';
import { createAnswers } from '../extraction/answers.ts';
import { extract } from '../extraction/extract.ts';
import { createManners } from '../extraction/manners.ts';
import { addOpenapiRoutes } from '../extraction/openapi/routes.ts';
import { type ConnectionLimit, createConnectionLimit } from '../extraction/relay/connection-limit.ts';
import { addRelayRoute } from '../extraction/relay/routes.ts';
import { addExtractionRoutes } from '../extraction/routes.ts';
import { addStatusRoute } from '../extraction/source-health/routes.ts';
import { createSourceHealth } from '../extraction/source-health/source-health.ts';
import { countExits } from '../metrics/count-egress.ts';
import { addOpenCircuits } from '../metrics/open-circuits.ts';
import { createPlatforms } from '../platforms/index.ts';
import { isPageRequest, openPageAccount } from '../web/page-account.ts';
import { addPageRoutes } from '../web/routes.ts';
import type { Parts } from './parts.ts';

/** Adds the role `api`: the extraction API, its documents, the relay of its links, and the page. */
export function addApiRole(server: FastifyInstance, parts: Parts): void {
  const { config, keys, ledger, storage, exits, metrics, sealer, addresses, own } = parts;
  const { MARKETPLACE_HOST: host, MARKETPLACE_PROXY_SECRET: proxySecret, PLAN_LIMITS: plans } = config;
  const marketplace = { keys, plans, host, proxySecret };
  const platforms = createPlatforms(config);
  const health = createSourceHealth(platforms, metrics);
  const manners = createManners(config);
  const outside = { exits: countExits(exits, 'site', metrics), manners };
  addOpenCircuits(metrics, platforms, manners.breaker.states);
  const ask = health.watch((question, signal) => extract(question, outside, signal));
  const answers = own(createAnswers({ ask, bytes: config.ANSWER_CACHE, metrics }));
  const page = openPageAccount(keys, config.WEB_KEY, config.WEB_RATE);
  const callerOf = (request: FastifyRequest) =>
    isPageRequest(request.headers) ? page.of(request) : authenticateExtraction(request.headers, marketplace);
  const shared = { metrics, sealer, addresses };
  addExtractionRoutes(server, platforms, { ...shared, callerOf, ledger, answers, health });
  const storeOrigin = config.STORE_DOWNLOADS === 'redirect' ? storage.origin?.bind(storage) : undefined;
  addPageRoutes(server, { account: page, addresses, storeOrigin });
  addStatusRoute(server, health, manners.breaker.states);
  addOpenapiRoutes(server, { platforms, plans: Object.values(plans), addresses });
  const limit = own(relayLimit(parts));
  addRelayRoute(server, { ...shared, exits: countExits(exits, 'relay', metrics), limit });
}

/** With the embedded database there are no other nodes. */
function relayLimit({ config, database, log }: Parts): ConnectionLimit {
  const { RELAY_CONNECTIONS: most, DATABASE_URL: url } = config;
  return createConnectionLimit(most, url === undefined ? undefined : { places: openSharedPlaces(database, most), log });
}
