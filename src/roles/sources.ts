import type { Database } from '../database/database.ts';
import { createFindFreshLinks } from '../extraction/healing/find-fresh-links.ts';
import { extract, type FetchSource } from '../extraction/source/extract.ts';
import { keepUnread } from '../extraction/source/keep-unread.ts';
import { refuseTestItems } from '../extraction/source/refuse-test-items.ts';
import { createSourcePolicy } from '../extraction/source/source-policy.ts';
import { createSourceHealth } from '../extraction/source-health/source-health.ts';
import { createLinkHealer } from '../link-healing/create-link-healer.ts';
import { createInMemoryCounts } from '../link-healing/in-memory-counts.ts';
import type { LinkHealer } from '../link-healing/link-healer.ts';
import { openStoredCounts } from '../link-healing/stored-counts.ts';
import { createLocalMediaHealth } from '../media-health/local-media-health.ts';
import type { MediaHealth } from '../media-health/media-health.ts';
import { noMediaHealth } from '../media-health/no-media-health.ts';
import { shareMediaHealth } from '../media-health/sharing/share-media-health.ts';
import { instrumentExits } from '../metrics/instrument-egress.ts';
import { createPlatforms } from '../platforms/index.ts';
import { createUnreadResponses, type UnreadResponses } from '../recording/unread-responses.ts';
import type { Sealer } from '../sealing/sealer.ts';
import { traceExits } from '../tracing/instrument/trace-exits.ts';
import { traceFetchSource } from '../tracing/instrument/trace-extraction.ts';
import { noTracing } from '../tracing/tracer.ts';
import type { CoreServices, Sources } from './services.ts';

type SourceNeeds = 'config' | 'log' | 'exits' | 'metrics' | 'keys' | 'blocks' | 'own';

/** Services that sources are opened with. */
interface SourceServices extends Pick<CoreServices, SourceNeeds>, Partial<Pick<CoreServices, 'tracer'>> {
  /** Opens the page tokens in the queries of replaced links. */
  readonly sealer: Sealer;
  /** Whether items that exist only for test keys are refused. Default: false. */
  readonly refusesTestItems?: boolean;
  /** Shared by all nodes, if there is one: it has the media health, and counts replaced links. */
  readonly database?: Database;
}

/**
 * Opens the sources of a world. All roles of a process share them, so that one rate limit and one breaker apply to a
 * platform.
 */
export function openSources(services: SourceServices): Sources {
  const { config, log, exits, metrics, tracer = noTracing } = services;
  const platforms = createPlatforms(config);
  const health = createSourceHealth(platforms, metrics);
  const policy = createSourcePolicy(config);
  const mediaHealth = openMediaHealth(services);
  const access = { exits: instrumentExits(traceExits(exits, tracer), 'site', metrics), policy, mediaHealth };
  const unreadResponses = openUnreadResponses({ config, log });
  const fetch: FetchSource = (query, caller, signal) => extract(query, caller, access, signal);
  const reportedFetch = health.instrument(unreadResponses === undefined ? fetch : keepUnread(fetch, unreadResponses));
  const ownFetch = services.refusesTestItems === true ? refuseTestItems(reportedFetch) : reportedFetch;
  const fetchSource = traceFetchSource(ownFetch, tracer);
  const healer = config.HEAL_LINKS === 'on' ? openLinkHealer({ platforms, fetchSource }, services) : undefined;
  return { platforms, health, policy, mediaHealth, fetchSource, unreadResponses, healer };
}

function openMediaHealth({ config, log, metrics, database, own }: SourceServices): MediaHealth {
  if (config.USE_HEALTH === 'off') return noMediaHealth;
  const mediaHealth = createLocalMediaHealth(metrics);
  if (database !== undefined) own(shareMediaHealth(mediaHealth, database, log));
  return mediaHealth;
}

function openLinkHealer(
  { platforms, fetchSource }: Pick<Sources, 'platforms' | 'fetchSource'>,
  { exits, sealer, keys, blocks, database, metrics, log }: SourceServices,
): LinkHealer {
  const findFreshLinks = createFindFreshLinks({ platforms, fetchSource, exits, sealer, blocks });
  const counts = database === undefined ? createInMemoryCounts() : openStoredCounts(database);
  return createLinkHealer({ findFreshLinks, counts, keys, metrics, log });
}

function openUnreadResponses({ config, log }: Pick<CoreServices, 'config' | 'log'>): UnreadResponses | undefined {
  const { KEEP_UNREAD: size } = config;
  if (size === 0) return undefined;
  return createUnreadResponses(size, (err) => log.error({ err }, 'a response that could not be read was not kept'));
}
