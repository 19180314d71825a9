import type { FastifyInstance } from 'fastify';
import { fileLink } from '../addresses.ts';
import { countStreams } from '../metrics/count-streams.ts';
import { openJobCache } from '../render/cache.ts';
import { openJobs } from '../render/jobs.ts';
import { addBatchRoute } from '../render/routes-batch.ts';
import { addFileRoutes } from '../render/routes-files.ts';
import { addJobRoutes } from '../render/routes-jobs.ts';
import { addStartRoutes } from '../render/routes-start.ts';
import { addStatusRoutes } from '../render/routes-status.ts';
import { openStatusHub } from '../render/status.ts';
import type { Parts } from './parts.ts';

/** Adds the role `render`: jobs are started and watched here, and their files are downloaded. */
export async function addRenderRole(server: FastifyInstance, parts: Parts): Promise<void> {
  const { config, log, database, storage, keys, ledger, sealer, metrics, addresses, own } = parts;
  const linkTo = (link: string, name: string) => fileLink(addresses(), link, name);
  const hub = own(await openStatusHub(database, linkTo, log));
  const jobs = openJobs(database, sealer, config.MAX_QUEUED_JOBS);
  const cache = openJobCache(database, sealer);
  const starting = { jobs, cache, keys, ledger, sealer, addresses };
  addStartRoutes(server, starting);
  addBatchRoute(server, starting);
  addJobRoutes(server, { sql: database, jobs, cache, keys, sealer, linkTo, metrics });
  addStatusRoutes(server, countStreams(hub, metrics));
  addFileRoutes(server, { sql: database, storage, sealer, redirect: config.STORE_DOWNLOADS === 'redirect' });
}
