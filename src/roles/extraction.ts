import type { FastifyInstance } from 'fastify';
import { createAnswers } from '../extraction/answers.ts';
import { extract } from '../extraction/extract.ts';
import { createManners } from '../extraction/manners.ts';
import { addExtractionRoutes, type ExtractionServices } from '../extraction/routes.ts';
import { createSourceHealth, type SourceHealth } from '../extraction/source-health/source-health.ts';
import { instrumentExits } from '../metrics/instrument-egress.ts';
import { createPlatforms } from '../platforms/index.ts';
import type { Platform } from '../platforms/platform.ts';
import type { ConnectionLimit } from '../relay/connection-limit.ts';
import { addRelayRoute } from '../relay/routes.ts';
import type { CoreServices } from './services.ts';

/** How callers are authenticated, and how many relay connections an account may have. */
interface ExtractionCallers extends Pick<ExtractionServices, 'callerOf'> {
  readonly limit: ConnectionLimit;
}

/** What other parts of the process use of the extraction API. */
export interface Extraction {
  readonly platforms: readonly Platform[];
  readonly health: SourceHealth;
  readonly manners: ReturnType<typeof createManners>;
}

/** Adds the extraction API and the relay of its links. */
export function addExtraction(
  server: FastifyInstance,
  { config, ledger, exits, metrics, sealer, addresses, own }: CoreServices,
  { callerOf, limit }: ExtractionCallers,
): Extraction {
  const platforms = createPlatforms(config);
  const health = createSourceHealth(platforms, metrics);
  const manners = createManners(config);
  const outside = { exits: instrumentExits(exits, 'site', metrics), manners };
  const ask = health.watch((question, signal) => extract(question, outside, signal));
  const answers = own(createAnswers({ ask, bytes: config.ANSWER_CACHE, metrics }));
  const shared = { metrics, sealer, addresses };
  addExtractionRoutes(server, platforms, { ...shared, callerOf, ledger, answers, health });
  addRelayRoute(server, { ...shared, exits: instrumentExits(exits, 'relay', metrics), limit: own(limit) });
  return { platforms, health, manners };
}
