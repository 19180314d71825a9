import type { FastifyInstance } from 'fastify';
import { mapWorlds } from '../contract/worlds.ts';
import { createResultCache } from '../extraction/cache/result-cache.ts';
import { createRefusalCheck } from '../extraction/refused-media.ts';
import { addExtractionRoutes, type ExtractionServices, type ExtractionWorld } from '../extraction/routes.ts';
import { instrumentExits } from '../metrics/instrument-egress.ts';
import type { ConnectionLimit } from '../relay/connection-limit.ts';
import { addRelayRoute, type RelayWorld } from '../relay/routes.ts';
import { traceExtractionMetrics, traceResultCache } from '../tracing/instrument/trace-extraction.ts';
import { type CoreServices, type Sources, type World, worldsOf } from './services.ts';

/** How callers are authenticated, and how many relay connections an account may have. */
interface ExtractionCallers extends Pick<ExtractionServices, 'authenticate' | 'visitorCredits'> {
  readonly limit: ConnectionLimit;
}

type ExtractingServices = CoreServices & { readonly sources: Sources };

/** Adds the extraction API and the relay of its links. */
export function addExtraction(
  server: FastifyInstance,
  services: ExtractingServices,
  { authenticate, limit, visitorCredits }: ExtractionCallers,
): void {
  const { sources, ledger, sealers, addresses, blocks, keys, own } = services;
  const worlds = worldsOf(services, sources);
  addExtractionRoutes(server, sources.platforms, {
    authenticate,
    ledger,
    visitorCredits,
    worlds: mapWorlds(worlds, (world) => openExtractionWorld(world, services)),
  });
  addRelayRoute(server, {
    sealers,
    worlds: mapWorlds(worlds, relayWorldOf),
    addresses,
    limit: own(limit),
    blocks,
    keys,
  });
}

/** Opens what the extractions of one world use, with its own result cache. */
function openExtractionWorld(
  { sources, metrics, sealer, storedOrders }: World<Sources>,
  { config, tracer, addresses, blocks, own }: ExtractingServices,
): ExtractionWorld {
  const { health, mediaHealth, fetchSource, healer } = sources;
  const extractionMetrics = traceExtractionMetrics(metrics, tracer);
  const results = own(
    createResultCache({
      fetchSource,
      bytes: config.ANSWER_CACHE,
      metrics: extractionMetrics,
      isOutdated: createRefusalCheck(mediaHealth),
    }),
  );
  return {
    metrics: extractionMetrics,
    sealer,
    addresses,
    blocks,
    tracer,
    results: traceResultCache(results, tracer),
    health: config.USE_HEALTH === 'on' ? health : { note: () => undefined },
    mediaHealth,
    healsLinks: healer !== undefined,
    storeOrders: storedOrders.store,
  };
}

function relayWorldOf({ sources, exits, metrics, sealer }: World<Sources>): RelayWorld {
  const { mediaHealth, healer } = sources;
  return {
    metrics,
    sealer,
    exits: instrumentExits(exits, 'relay', metrics),
    reportMediaFetch: mediaHealth.report,
    ...(healer === undefined ? {} : { healer }),
  };
}
