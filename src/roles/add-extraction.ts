import type { FastifyInstance } from 'fastify';
import { createResultCache } from '../extraction/cache/result-cache.ts';
import { addExtractionRoutes, type ExtractionServices } from '../extraction/routes.ts';
import { extract } from '../extraction/source/extract.ts';
import { createSourcePolicy, type SourcePolicy } from '../extraction/source/source-policy.ts';
import { createSourceHealth, type SourceHealth } from '../extraction/source-health/source-health.ts';
import { instrumentExits } from '../metrics/instrument-egress.ts';
import { createPlatforms } from '../platforms/index.ts';
import type { Platform } from '../platforms/platform.ts';
import type { ConnectionLimit } from '../relay/connection-limit.ts';
import { addRelayRoute } from '../relay/routes.ts';
import type { CoreServices } from './services.ts';

/** How callers are authenticated, and how many relay connections an account may have. */
interface ExtractionCallers extends Pick<ExtractionServices, 'authenticate'> {
  readonly limit: ConnectionLimit;
}

/** The parts of the extraction API that the rest of the process uses. */
export interface Extraction {
  readonly platforms: readonly Platform[];
  readonly health: SourceHealth;
  readonly policy: SourcePolicy;
}

/** Adds the extraction API and the relay of its links. */
export function addExtraction(
  server: FastifyInstance,
  { config, ledger, exits, metrics, sealer, addresses, own }: CoreServices,
  { authenticate, limit }: ExtractionCallers,
): Extraction {
  const platforms = createPlatforms(config);
  const health = createSourceHealth(platforms, metrics);
  const policy = createSourcePolicy(config);
  const access = { exits: instrumentExits(exits, 'site', metrics), policy };
  const fetchSource = health.instrument((query, signal) => extract(query, access, signal));
  const results = own(createResultCache({ fetchSource, bytes: config.ANSWER_CACHE, metrics }));
  const sharedServices = { metrics, sealer, addresses };
  addExtractionRoutes(server, platforms, { ...sharedServices, authenticate, ledger, results, health });
  addRelayRoute(server, { ...sharedServices, exits: instrumentExits(exits, 'relay', metrics), limit: own(limit) });
  return { platforms, health, policy };
}
