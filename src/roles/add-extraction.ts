import type { FastifyInstance } from 'fastify';
import { createResultCache } from '../extraction/cache/result-cache.ts';
import { addExtractionRoutes, type ExtractionServices } from '../extraction/routes.ts';
import { extract, type FetchSource } from '../extraction/source/extract.ts';
import { keepUnread } from '../extraction/source/keep-unread.ts';
import { createSourcePolicy, type SourcePolicy } from '../extraction/source/source-policy.ts';
import { createSourceHealth, type SourceHealth } from '../extraction/source-health/source-health.ts';
import { instrumentExits } from '../metrics/instrument-egress.ts';
import { createPlatforms } from '../platforms/index.ts';
import type { Platform } from '../platforms/platform.ts';
import { createUnreadResponses, type UnreadResponses } from '../recording/unread-responses.ts';
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
  /** Absent if `KEEP_UNREAD` is 0. */
  readonly unreadResponses: UnreadResponses | undefined;
}

/** Adds the extraction API and the relay of its links. */
export function addExtraction(
  server: FastifyInstance,
  { config, log, ledger, exits, metrics, sealer, addresses, own }: CoreServices,
  { authenticate, limit }: ExtractionCallers,
): Extraction {
  const platforms = createPlatforms(config);
  const health = createSourceHealth(platforms, metrics);
  const policy = createSourcePolicy(config);
  const access = { exits: instrumentExits(exits, 'site', metrics), policy };
  const unreadResponses = openUnreadResponses({ config, log });
  const fetch: FetchSource = (query, signal) => extract(query, access, signal);
  const fetchSource = health.instrument(unreadResponses === undefined ? fetch : keepUnread(fetch, unreadResponses));
  const results = own(createResultCache({ fetchSource, bytes: config.ANSWER_CACHE, metrics }));
  const sharedServices = { metrics, sealer, addresses };
  addExtractionRoutes(server, platforms, { ...sharedServices, authenticate, ledger, results, health });
  addRelayRoute(server, { ...sharedServices, exits: instrumentExits(exits, 'relay', metrics), limit: own(limit) });
  return { platforms, health, policy, unreadResponses };
}

function openUnreadResponses({ config, log }: Pick<CoreServices, 'config' | 'log'>): UnreadResponses | undefined {
  const { KEEP_UNREAD: size } = config;
  if (size === 0) return undefined;
  return createUnreadResponses(size, (err) => log.error({ err }, 'a response that could not be read was not kept'));
}
