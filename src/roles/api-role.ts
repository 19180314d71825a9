import type { FastifyInstance, FastifyRequest } from 'fastify';
import { authenticateExtraction } from '../accounts/authenticate.ts';
import { openConcurrencyLeases } from '../accounts/concurrency-leases.ts';
import { openVisitorCredits } from '../accounts/visitor-credits.ts';
import { addStatusRoute } from '../extraction/source-health/routes.ts';
import { addBreakerMetrics } from '../metrics/breaker-metrics.ts';
import { addOpenapiRoutes } from '../openapi/routes.ts';
import type { UnreadResponses } from '../recording/unread-responses.ts';
import { type ConnectionLimit, createConnectionLimit } from '../relay/connection-limit.ts';
import { limitNetworks } from '../relay/network-limits.ts';
import { isPageRequest, openPageAccount } from '../web/page-account.ts';
import { addPageRoutes } from '../web/routes.ts';
import { aboutOf } from './about.ts';
import { addExtraction } from './add-extraction.ts';
import { marketplaceOf } from './marketplace.ts';
import type { NodeServices } from './services.ts';

/**
 * Adds the role `api`: the extraction API, its documentation, the relay of its links, and the page. Returns what the
 * admin API shows of it.
 */
export function addApiRole(
  server: FastifyInstance,
  services: NodeServices,
): { readonly unreadResponses: UnreadResponses | undefined } {
  const { config, keys, storage, sources, metrics, addresses, version } = services;
  const marketplace = marketplaceOf(services);
  const page = openPageAccount(keys, config.WEB_KEY, config.WEB_RATE);
  const authenticate = (request: FastifyRequest) =>
    isPageRequest(request.headers) ? page.forRequest(request) : authenticateExtraction(request.headers, marketplace);
  const visitorCredits = openVisitorCredits(services.database);
  const callers = { authenticate, limit: relayLimit(services), visitorCredits };
  const { platforms, health, policy, mediaHealth, unreadResponses } = sources;
  addExtraction(server, services, callers);
  addBreakerMetrics(metrics, platforms, policy.breaker.states);
  const storeOrigin = config.STORE_DOWNLOADS === 'redirect' ? storage.origin?.bind(storage) : undefined;
  addPageRoutes(server, { account: page, addresses, storeOrigin, about: aboutOf(config) });
  addStatusRoute(server, health, mediaHealth, policy.breaker.states);
  addOpenapiRoutes(server, { platforms, plans: Object.values(config.PLAN_LIMITS), addresses, version });
  return { unreadResponses };
}

/** Limits relay connections across all nodes. With the embedded database there is only one node. */
function relayLimit({ config, database, log }: NodeServices): ConnectionLimit {
  return limitNetworks(config.RELAY_CONNECTIONS, (limit) =>
    createConnectionLimit(
      limit,
      config.DATABASE_URL === undefined ? undefined : { leases: openConcurrencyLeases(database, limit), log },
    ),
  );
}
