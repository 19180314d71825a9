import type { FastifyInstance } from 'fastify';
import { fileLink } from '../contract/addresses.ts';
import { countExits } from '../metrics/count-egress.ts';
import { countStreams } from '../metrics/count-streams.ts';
import { addFileRoutes } from '../render/http/file-routes.ts';
import { checkJobIdParameter } from '../render/http/job-id-parameter.ts';
import { addJobRoutes } from '../render/http/job-routes.ts';
import { addStartRoutes } from '../render/http/start-routes.ts';
import type { StartServices } from '../render/http/starts.ts';
import { addStatusRoutes } from '../render/http/status-routes.ts';
import { createPreviewer } from '../render/preview/preview-job.ts';
import type { LinkMaker } from '../render/status/status-event.ts';
import { openStatusHub } from '../render/status/status-hub.ts';
import type { CommonParts } from './parts.ts';

/** What else starts jobs of the same process. */
export interface Renders {
  readonly starting: StartServices;
  readonly linkTo: LinkMaker;
}

/** Adds the routes that start single jobs, report their status, cancel them, and send their files. */
export async function addRenders(server: FastifyInstance, parts: CommonParts): Promise<Renders> {
  const { config, log, storage, store, keys, ledger, sealer, metrics, addresses, own } = parts;
  const { jobs, cache, statuses, startConditions, files } = store;
  const linkTo: LinkMaker = (link, name) => fileLink(addresses(), link, name);
  const hub = own(await openStatusHub(statuses, linkTo, log));
  const exits = countExits(parts.exits, 'render', metrics);
  const previewJob = createPreviewer({ startConditions, exits, maxQueued: config.MAX_QUEUED_JOBS });
  server.addHook('preValidation', checkJobIdParameter);
  const starting = { jobs, cache, keys, ledger, sealer, previewJob, addresses };
  addStartRoutes(server, starting);
  addJobRoutes(server, { statuses, jobs, cache, keys, sealer, linkTo, metrics });
  addStatusRoutes(server, countStreams(hub, metrics));
  addFileRoutes(server, { files, storage, sealer, metrics, redirect: config.STORE_DOWNLOADS === 'redirect' });
  return { starting, linkTo };
}
