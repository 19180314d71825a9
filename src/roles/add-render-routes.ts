import type { FastifyInstance } from 'fastify';
import { fileLink } from '../contract/addresses.ts';
import { mapWorlds } from '../contract/worlds.ts';
import { instrumentExits } from '../metrics/instrument-egress.ts';
import { instrumentStatusStreams } from '../metrics/instrument-status-streams.ts';
import { addFileRoutes } from '../render/http/file-routes.ts';
import { createJobRates } from '../render/http/job-rates.ts';
import { addJobRoutes } from '../render/http/job-routes.ts';
import type { StartServices, StartWorld } from '../render/http/job-starter.ts';
import { addReceiptKeyRoute } from '../render/http/receipt-key-route.ts';
import { addStartRoutes } from '../render/http/start-routes.ts';
import { addStatusRoutes } from '../render/http/status-routes.ts';
import { measureDisk } from '../render/jobs/stored-size.ts';
import { createPreviewer } from '../render/preview/preview-job.ts';
import type { FileUrlBuilder } from '../render/status/status-event.ts';
import { openStatusHub } from '../render/status/status-hub.ts';
import { marketplaceOf } from './marketplace.ts';
import { type CoreServices, type Sources, type World, worldsOf } from './services.ts';

/** Dependencies of other routes that start jobs. */
interface RenderRoutes {
  readonly starting: StartServices;
  readonly linkTo: FileUrlBuilder;
}

/** Services that only some processes have: a command that only renders has no platforms. */
type RenderServices = CoreServices & { readonly sources?: Sources };

/** Adds the routes that start single jobs, report their status, cancel them, and send their files. */
export async function addRenderRoutes(server: FastifyInstance, services: RenderServices): Promise<RenderRoutes> {
  const { config, log, sources, storage, store, keys, ledger, sealers, metrics, addresses, blocks, own } = services;
  const { jobs, storedDescriptions, statuses, files } = store;
  const linkTo: FileUrlBuilder = (link, name) => fileLink(addresses(), link, name);
  const hub = own(await openStatusHub(statuses, linkTo, log));
  const jobRates = createJobRates(config.JOB_RATE);
  const starting = {
    jobs,
    storedDescriptions,
    keys,
    ledger,
    sealers,
    worlds: mapWorlds(worldsOf(services, sources), (world) => startWorldOf(world, services)),
    addresses,
    blocks,
    visitorLimits: { ...config.WEB_JOBS, storedSize: config.WEB_STORAGE },
    jobRates,
    plans: config.PLAN_LIMITS,
    measureDisk: () => measureDisk(storage, config.WORKER_DISK_RESERVE),
  };
  addStartRoutes(server, starting);
  const marketplace = marketplaceOf(services);
  addJobRoutes(server, {
    statuses,
    jobs,
    storedDescriptions,
    marketplace,
    storage,
    sealers,
    linkTo,
    metrics,
    jobRates,
  });
  addStatusRoutes(server, { hub: instrumentStatusStreams(hub, metrics), jobRates });
  addReceiptKeyRoute(server, services.receipts.keys);
  addFileRoutes(server, { files, storage, sealers, metrics, blocks, redirect: config.STORE_DOWNLOADS === 'redirect' });
  return { starting, linkTo };
}

function startWorldOf(
  { exits, metrics, sources, sealer, storedOrders }: World<Sources | undefined>,
  { config, store, exits: { checkUrl: checkStoreUrl } }: RenderServices,
): StartWorld {
  const previewJob = createPreviewer({
    startConditions: store.startConditions,
    exits: instrumentExits(exits, 'render', metrics),
    checkStoreUrl,
    maxQueued: config.MAX_QUEUED_JOBS,
    ...(sources === undefined
      ? {}
      : { reportMediaFetch: sources.mediaHealth.report, healsLinks: sources.healer !== undefined }),
  });
  return { sealer, storedOrders, previewJob };
}
