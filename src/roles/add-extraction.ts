import type { FastifyInstance } from 'fastify';
import { createResultCache } from '../extraction/cache/result-cache.ts';
import { createRefusalCheck } from '../extraction/refused-media.ts';
import { addExtractionRoutes, type ExtractionServices } from '../extraction/routes.ts';
import { instrumentExits } from '../metrics/instrument-egress.ts';
import type { ConnectionLimit } from '../relay/connection-limit.ts';
import { addRelayRoute } from '../relay/routes.ts';
import { traceExtractionMetrics, traceResultCache } from '../tracing/instrument/trace-extraction.ts';
import type { CoreServices, Sources } from './services.ts';

/** How callers are authenticated, and how many relay connections an account may have. */
interface ExtractionCallers extends Pick<ExtractionServices, 'authenticate'> {
  readonly limit: ConnectionLimit;
}

/** Adds the extraction API and the relay of its links. */
export function addExtraction(
  server: FastifyInstance,
  {
    config,
    sources,
    ledger,
    exits,
    metrics,
    tracer,
    sealer,
    store,
    addresses,
    blocks,
    keys,
    own,
  }: CoreServices & { readonly sources: Sources },
  { authenticate, limit }: ExtractionCallers,
): void {
  const { platforms, health, mediaHealth, fetchSource, healer } = sources;
  const extractionMetrics = traceExtractionMetrics(metrics, tracer);
  const results = own(
    createResultCache({
      fetchSource,
      bytes: config.ANSWER_CACHE,
      metrics: extractionMetrics,
      isOutdated: createRefusalCheck(mediaHealth),
    }),
  );
  const sharedServices = { metrics, sealer, addresses, blocks };
  addExtractionRoutes(server, platforms, {
    ...sharedServices,
    metrics: extractionMetrics,
    tracer,
    authenticate,
    ledger,
    results: traceResultCache(results, tracer),
    health,
    mediaHealth,
    healsLinks: healer !== undefined,
    storeOrders: store.storedOrders.store,
  });
  addRelayRoute(server, {
    ...sharedServices,
    keys,
    exits: instrumentExits(exits, 'relay', metrics),
    limit: own(limit),
    reportMediaFetch: mediaHealth.report,
    ...(healer === undefined ? {} : { healer }),
  });
}
