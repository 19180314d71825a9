import { rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { openKeys } from './accounts/keys.ts';
import { openLedger } from './accounts/ledger.ts';
import { openUsage } from './accounts/usage.ts';
import { type Addresses, fileLink } from './addresses.ts';
import { addAdminRoutes } from './admin/routes.ts';
import type { Config } from './config.ts';
import { openEmbedded } from './database/embedded.ts';
import { signingSecrets } from './database/facts.ts';
import { migrate } from './database/migrate.ts';
import { openExits } from './egress/exits.ts';
import { createAnswers } from './extraction/answers.ts';
import { extract } from './extraction/extract.ts';
import { createManners } from './extraction/manners.ts';
import { addOpenapiRoutes } from './extraction/openapi/routes.ts';
import { addRelayRoute } from './extraction/relay/routes.ts';
import { addExtractionRoutes } from './extraction/routes.ts';
import { addStatusRoute } from './extraction/source-health/routes.ts';
import { createSourceHealth } from './extraction/source-health/source-health.ts';
import { addHealthRoute } from './health.ts';
import { countExits } from './metrics/count-egress.ts';
import { createMetrics } from './metrics/metrics.ts';
import { addRenderMetrics } from './metrics/render-metrics.ts';
import { addMetricsRoute } from './metrics/routes.ts';
import { createPlatforms } from './platforms/index.ts';
import { openJobCache } from './render/cache.ts';
import { createEngine } from './render/engine/create-engine.ts';
import { reconcile, startSweeper } from './render/expiry.ts';
import { openJobs } from './render/jobs.ts';
import { openQueue } from './render/queue.ts';
import { addFileRoutes } from './render/routes-files.ts';
import { addStartRoutes } from './render/routes-start.ts';
import { addStatusRoutes } from './render/routes-status.ts';
import { openStatusHub } from './render/status.ts';
import { runJob } from './render/worker/run-job.ts';
import { startWorker } from './render/worker/worker.ts';
import { createSealer } from './sealing.ts';
import { createBareServer, createServer } from './server.ts';
import { openDiskStorage } from './storage/disk.ts';

/** A running service. */
export interface Service {
  readonly addresses: Addresses;
  /** Keys that were made because there were none; told this once. */
  readonly newKeys: { readonly extraction?: string; readonly render?: string };
  /** Takes nothing new, hands running jobs back to the queue, and settles when all is put away. */
  close(): Promise<void>;
}

/** Starts the parts that the configuration names, each with what it needs: the one place where they meet. */
export async function startService(config: Config, log: Logger): Promise<Service> {
  const owned: (() => Promise<unknown>)[] = [];
  /** Whatever is opened is closed in the opposite order. */
  const own = <T extends { close(): Promise<unknown> }>(resource: T): T => {
    owned.push(() => resource.close());
    return resource;
  };
  const close = async () => {
    for (let next = owned.pop(); next !== undefined; next = owned.pop()) await next();
  };
  try {
    const database = own(await openEmbedded(config.DATA_DIR, log));
    await migrate(database);
    const secrets = await signingSecrets(database, config.SIGNING_SECRETS);
    const sealer = createSealer(secrets);
    const plans = config.PLAN_LIMITS;
    const keys = own(await openKeys(database, secrets, plans));
    await keys.seed(config.EXTRACTION_KEYS, config.RENDER_KEYS);
    const newKeys = {
      ...((await keys.exist('extraction')) ? {} : { extraction: (await keys.create('extraction', 'MEGA')).key }),
      ...((await keys.exist('render')) ? {} : { render: (await keys.create('render', 'MEGA')).key }),
    };
    const storage = await openDiskStorage(config.STORAGE_URL ?? join(config.DATA_DIR, 'files'));
    const exits = own(openExits(config));
    const metrics = createMetrics();
    addRenderMetrics(metrics, database);
    const queue = openQueue(database, sealer);

    // Nobody else has this database open: what was running is not any more.
    const ledger = own(await openLedger(database, true, log));
    await queue.recover(true);
    await reconcile(database, storage, log);
    own(startSweeper(database, storage, queue, log));

    let addresses: Addresses | undefined;
    const currentAddresses = () => {
      if (addresses === undefined) throw new Error('the service is asked for its address before it listens');
      return addresses;
    };
    if (config.ROLES.includes('worker')) {
      const engine = own(createEngine({ log, dataDirectory: config.DATA_DIR }));
      for (const layer of engine.missingIsolation)
        log.warn(`media is processed without a layer of isolation: ${layer}`);
      metrics.gauge('engine_children', 'Child processes of the media engine.', () => engine.children);
      const workDirectory = join(config.DATA_DIR, 'work');
      await rm(workDirectory, { recursive: true, force: true });
      const services = {
        queue,
        exits: countExits(exits, 'render', metrics),
        engine,
        storage,
        sealer,
        workDirectory,
        log,
      };
      const run = (...[claimed, progress, signal]: Parameters<Parameters<typeof startWorker>[0]['run']>) =>
        runJob(claimed, progress, signal, services);
      own(await startWorker({ database, queue, slots: config.WORKER_CONCURRENCY, run, log }));
    }
    const server = own(await createServer(log));
    addHealthRoute(server, database, storage);
    if (config.ROLES.includes('api')) {
      const { MARKETPLACE_HOST: host, MARKETPLACE_PROXY_SECRET: proxySecret } = config;
      const marketplace = { keys, plans, host, proxySecret };
      const platforms = createPlatforms(config);
      const health = createSourceHealth(platforms, metrics);
      const manners = createManners(config);
      const outside = { exits: countExits(exits, 'site', metrics), manners };
      const ask = health.watch((question, signal) => extract(question, outside, signal));
      const answers = own(createAnswers({ ask, bytes: config.ANSWER_CACHE, metrics }));
      const shared = { metrics, sealer, addresses: currentAddresses };
      addExtractionRoutes(server, platforms, { ...shared, marketplace, ledger, answers, health });
      addStatusRoute(server, health, manners.breaker.states);
      addOpenapiRoutes(server, { platforms, plans: Object.values(plans), addresses: currentAddresses });
      const connections = config.RELAY_CONNECTIONS;
      addRelayRoute(server, { ...shared, exits: countExits(exits, 'relay', metrics), connections });
    }
    if (config.ROLES.includes('render')) {
      const linkTo = (link: string, name: string) => fileLink(currentAddresses(), link, name);
      const hub = own(await openStatusHub(database, linkTo, log));
      const jobs = openJobs(database, sealer, config.MAX_QUEUED_JOBS);
      const cache = openJobCache(database, sealer);
      addStartRoutes(server, { jobs, cache, keys, ledger, sealer, addresses: currentAddresses });
      addStatusRoutes(server, hub);
      addFileRoutes(server, database, storage, sealer);
    }
    if (config.ADMIN_PORT !== undefined) {
      const admin = own(createBareServer(log));
      addMetricsRoute(admin, metrics);
      const token = config.ADMIN_TOKEN;
      if (token !== undefined) addAdminRoutes(admin, { keys, usage: openUsage(database), plans, token });
      await admin.listen({ host: '127.0.0.1', port: config.ADMIN_PORT });
      log.info({ admin: listeningAddress(admin.server.address(), '127.0.0.1') }, 'metrics and admin API');
    }
    await server.listen({ host: config.HOST, port: config.PORT });
    const listening = listeningAddress(server.server.address(), config.HOST);
    addresses = {
      base: config.BASE_URL ?? listening,
      api: config.API_URL ?? listening,
      render: config.RENDER_URL ?? listening,
    };
    return { addresses, newKeys, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function listeningAddress(address: string | AddressInfo | null, host: string): string {
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${address.port}`;
}
