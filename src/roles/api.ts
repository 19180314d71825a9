import type { FastifyInstance } from 'fastify';
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
import type { Parts } from './parts.ts';

/** Adds the role `api`: the extraction API, its documents, and the relay of its links. */
export function addApiRole(server: FastifyInstance, parts: Parts): void {
  const { config, keys, ledger, exits, metrics, sealer, addresses, own } = parts;
  const { MARKETPLACE_HOST: host, MARKETPLACE_PROXY_SECRET: proxySecret, PLAN_LIMITS: plans } = config;
  const marketplace = { keys, plans, host, proxySecret };
  const platforms = createPlatforms(config);
  const health = createSourceHealth(platforms, metrics);
  const manners = createManners(config);
  const outside = { exits: countExits(exits, 'site', metrics), manners };
  addOpenCircuits(metrics, platforms, manners.breaker.states);
  const ask = health.watch((question, signal) => extract(question, outside, signal));
  const answers = own(createAnswers({ ask, bytes: config.ANSWER_CACHE, metrics }));
  const shared = { metrics, sealer, addresses };
  addExtractionRoutes(server, platforms, { ...shared, marketplace, ledger, answers, health });
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
