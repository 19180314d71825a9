import type { FastifyInstance } from 'fastify';
import { fileLink } from '../addresses.ts';
import { countEgress, countExits } from '../metrics/count-egress.ts';
import { countStreams } from '../metrics/count-streams.ts';
import { openJobCache } from '../render/cache.ts';
import { checkJobIdParameter } from '../render/job-id-parameter.ts';
import { openJobs } from '../render/jobs.ts';
import { createPlanner } from '../render/plan/plan-job.ts';
import { addBatchRoute } from '../render/routes-batch.ts';
import { addFileRoutes } from '../render/routes-files.ts';
import { addJobRoutes } from '../render/routes-jobs.ts';
import { addStartRoutes } from '../render/routes-start.ts';
import { addStatusRoutes } from '../render/routes-status.ts';
import { openStatusHub } from '../render/status.ts';
import { statusEvent } from '../render/status-event.ts';
import { startDeliveries } from '../render/webhooks/deliveries.ts';
import { addDeliveryRoute } from '../render/webhooks/routes.ts';
import { openWebhookStore } from '../render/webhooks/webhook-store.ts';
import type { Parts } from './parts.ts';

/** Adds the role `render`: jobs are started and watched here, and their files are downloaded. */
export async function addRenderRole(server: FastifyInstance, parts: Parts): Promise<void> {
  const { config, log, database, storage, keys, ledger, sealer, metrics, addresses, own } = parts;
  const linkTo = (link: string, name: string) => fileLink(addresses(), link, name);
  const hub = own(await openStatusHub(database, linkTo, log));
  const jobs = openJobs(database, sealer, config.MAX_QUEUED_JOBS);
  const cache = openJobCache(database, sealer);
  const exits = countExits(parts.exits, 'render', metrics);
  const planJob = createPlanner({ sql: database, exits, maxQueued: config.MAX_QUEUED_JOBS });
  server.addHook('preValidation', checkJobIdParameter);
  const starting = { jobs, cache, keys, ledger, sealer, planJob, addresses };
  addStartRoutes(server, starting);
  addBatchRoute(server, starting, linkTo);
  addJobRoutes(server, { sql: database, jobs, cache, keys, sealer, linkTo, metrics });
  addStatusRoutes(server, countStreams(hub, metrics));
  addDeliveryRoute(server, database, keys);
  const redirect = config.STORE_DOWNLOADS === 'redirect';
  addFileRoutes(server, { sql: database, storage, sealer, metrics, redirect });
}

/** Starts what tells callers' webhooks of the end of jobs. It makes download links, so the process has to listen. */
export async function startWebhooks(parts: Parts): Promise<void> {
  const { log, database, sealer, exits, metrics, addresses, own } = parts;
  const linkTo = (link: string, name: string) => fileLink(addresses(), link, name);
  own(
    await startDeliveries({
      database,
      store: openWebhookStore(database, sealer),
      egress: countEgress(exits.ofJobs, 'webhook', metrics),
      eventOf: (status) => JSON.stringify(statusEvent(status, linkTo)),
      log,
    }),
  );
}
