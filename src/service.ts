import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { loadKeyHashSecrets } from './accounts/key-hash-secrets.ts';
import { openKeys } from './accounts/keys.ts';
import { openLedger } from './accounts/ledger.ts';
import { startSpendWarnings } from './accounts/spend-warnings.ts';
import { openUsage } from './accounts/usage.ts';
import { addAdminRoutes } from './admin/routes.ts';
import { openAuditLog } from './audit/audit-log.ts';
import { openBlockList } from './blocks/block-list.ts';
import type { Config } from './config.ts';
import type { Addresses } from './contract/addresses.ts';
import { migrate } from './database/migrate.ts';
import { openDatabase } from './database/open-database.ts';
import { loadSigningSecrets } from './database/signing-secrets.ts';
import { openExits } from './egress/exits.ts';
import { openDataDirectory } from './files/data-directory.ts';
import { readPackageManifest } from './files/package-manifest.ts';
import { createConnectionReporter } from './http/connections/connection-reporter.ts';
import { type ConnectionTracker, createConnectionTracker } from './http/connections/connection-tracker.ts';
import { descriptorLimit, maxConnectionsFor } from './http/connections/descriptor-limit.ts';
import { addHealthRoutes } from './http/health.ts';
import { listen } from './http/listen.ts';
import { closeServer, createBareServer, createServer } from './http/server.ts';
import { addVersionRoute } from './http/version.ts';
import { addConnectionGauges } from './metrics/connection-metrics.ts';
import { countResponses } from './metrics/count-responses.ts';
import { instrumentDatabase } from './metrics/instrument-database.ts';
import { instrumentStorage } from './metrics/instrument-storage.ts';
import { createMetrics } from './metrics/metrics.ts';
import { addMetricsRoutes } from './metrics/metrics-route.ts';
import { addNodeMetrics } from './metrics/node-metrics.ts';
import { addRenderMetrics } from './metrics/render-metrics.ts';
import { openNodes } from './nodes/nodes.ts';
import { openNode } from './nodes/own-node.ts';
import { createPlatforms } from './platforms/index.ts';
import { createSubjectReader } from './platforms/subjects.ts';
import { openKeyHistory } from './receipts/key-history.ts';
import { createReceiptSigner } from './receipts/receipt-signer.ts';
import type { UnreadResponses } from './recording/unread-responses.ts';
import { cancelJobsOf } from './render/jobs/cancel-jobs-of.ts';
import { openJobStore } from './render/jobs/job-store.ts';
import { verifyStore } from './render/store-check/verify-store.ts';
import { startSweeper } from './render/sweeper/sweeper.ts';
import { addMcp } from './roles/add-mcp.ts';
import { addApiRole } from './roles/api-role.ts';
import { addRenderRole, startWebhooks } from './roles/render-role.ts';
import type { NodeServices } from './roles/services.ts';
import { openSources } from './roles/sources.ts';
import { openTestWorld } from './roles/test-world.ts';
import { startWorkerRole } from './roles/worker-role.ts';
import { createSealers } from './sealing/sealers.ts';
import { nameOfLocation, openStorage } from './storage/open-storage.ts';
import { traceJobStore } from './tracing/instrument/trace-job-store.ts';
import { traceRequests } from './tracing/instrument/trace-requests.ts';
import { openTracer } from './tracing/open-tracer.ts';
import { noTracing, type Tracer } from './tracing/tracer.ts';
import { sleep } from './waiting/sleep.ts';

/** Default fraction of all connections available to one address. */
const MAX_SHARE_PER_ADDRESS = 1 / 4;

/** A running service. */
export interface Service {
  readonly addresses: Addresses;
  /** The folder in which the service keeps its data. */
  readonly dataDirectory: string;
  /** Keys that were created because none existed. They cannot be read again. */
  readonly newKeys: { readonly extraction?: string; readonly render?: string };
  /**
   * Stops the service. It claims no more jobs, and lets running jobs and requests finish until `DRAIN_TIMEOUT` has
   * passed or `now` is aborted. Then it hands jobs back, cuts connections, and closes all resources.
   */
  close(now: AbortSignal): Promise<void>;
}

/** Starts a service with the roles of its configuration. */
export async function startService(settings: Config, log: Logger): Promise<Service> {
  const embedded = settings.DATABASE_URL === undefined;
  const config = { ...settings, DATA_DIR: await openDataDirectory(settings.DATA_DIR, embedded, log) };
  const closers: (() => Promise<unknown>)[] = [];
  /** Registers a resource; all are closed in reverse order. */
  const own = <T extends { close(): Promise<unknown> }>(resource: T): T => {
    closers.push(() => resource.close());
    return resource;
  };
  const close = async () => {
    for (let next = closers.pop(); next !== undefined; next = closers.pop()) await next();
  };
  try {
    let addresses: Addresses | undefined;
    const forceStop = new AbortController();
    const openedTracer = await openTracer(config, log);
    const tracer = openedTracer === undefined ? undefined : own(openedTracer);
    const services = await openServices(config, log, tracer ?? noTracing, own, forceStop.signal, () => {
      if (addresses === undefined) throw new Error('the service has no address before it listens');
      return addresses;
    });
    await services.keys.seed(config.EXTRACTION_KEYS, config.RENDER_KEYS);
    await checkPageKey(services);
    own(startSweeper({ ...services, queue: services.store.queue, auditDays: config.AUDIT_RETENTION }));

    let stopping = false;
    const role = config.ROLES.includes('worker') ? await startWorkerRole(services) : undefined;
    if (role !== undefined) await services.node.setWorker(role.id);
    const connections = openConnections(services);
    const server = own(
      await createServer(log, {
        proxies: config.TRUSTED_PROXIES,
        connections,
        logAddresses: config.LOG_ADDRESSES,
      }),
    );
    countResponses(server, services.metrics);
    if (tracer !== undefined) traceRequests(server, tracer);
    addHealthRoutes(server, {
      database: () => services.database.query('select 1'),
      storage: () => services.storage.check(),
      isStopping: () => stopping,
      isDraining: () => services.node.drainReason !== undefined,
      pauseReasons: () => role?.readiness.reasons ?? [],
      workerOnly: config.ROLES.every((name) => name === 'worker'),
    });
    addVersionRoute(server, services.version);
    const api = config.ROLES.includes('api') ? addApiRole(server, services) : undefined;
    if (config.ROLES.includes('render')) await addRenderRole(server, services);
    if (api !== undefined && config.ROLES.includes('render')) addMcp(server, services);
    if (config.ADMIN_PORT !== undefined) await openAdminServer(services, config.ADMIN_PORT, api?.unreadResponses);
    const listening = await listen(server, config.HOST, config.PORT);
    addresses = {
      base: config.BASE_URL ?? listening,
      api: config.API_URL ?? listening,
      render: config.RENDER_URL ?? listening,
    };
    if (config.ROLES.includes('render')) await startWebhooks(services);
    // Must be last, because nobody would see keys created by a failed start.
    const newKeys = await createFirstKeys(services);
    const drain = async (now: AbortSignal) => {
      stopping = true;
      now.addEventListener('abort', () => forceStop.abort(), { once: true });
      if (now.aborted) forceStop.abort();
      const deadline = AbortSignal.any([now, AbortSignal.timeout(config.DRAIN_TIMEOUT * 1_000)]);
      const drainServer = async () => {
        await waitForBalancers(config.DRAIN_DELAY * 1_000, deadline);
        await closeServer(server, deadline);
      };
      await Promise.all([role?.close(deadline), drainServer()]);
      await tracer?.flush(deadline);
    };
    return { addresses, dataDirectory: config.DATA_DIR, newKeys, close: (now) => drain(now).finally(close) };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Waits until load balancers have noticed that the node is stopping. */
async function waitForBalancers(milliseconds: number, deadline: AbortSignal): Promise<void> {
  await sleep(milliseconds, deadline).catch(() => undefined);
}

async function openServices(
  config: Config,
  log: Logger,
  tracer: Tracer,
  own: NodeServices['own'],
  forceStop: AbortSignal,
  addresses: NodeServices['addresses'],
): Promise<NodeServices> {
  const { version } = await readPackageManifest();
  const metrics = createMetrics();
  metrics.buildInfo({ version, roles: config.ROLES });
  const database = instrumentDatabase(own(await openDatabase(config, log, { immediateStop: forceStop })), metrics);
  await migrate(database);
  const isEmbedded = config.DATABASE_URL === undefined;
  const facts = { host: hostname(), roles: config.ROLES, version, isOnly: isEmbedded };
  const node = own(await openNode(database, facts, log));
  const secrets = await loadSigningSecrets(database, config.SIGNING_SECRETS);
  const sealers = createSealers(secrets);
  const signer = createReceiptSigner(secrets);
  const receipts = { signer, keys: openKeyHistory(database, signer) };
  const hashing = await loadKeyHashSecrets(database, config.KEY_HASH_SECRETS);
  const auditLog = openAuditLog(secrets);
  const adopted = await auditLog.start(database);
  if (adopted > 0)
    log.warn({ entries: adopted }, 'the audit log had entries without a chain. They are sealed as they are now.');
  const keys = own(await openKeys(database, { hashing, signing: secrets }, config.PLAN_LIMITS, log));
  const place = config.STORAGE_URL ?? { folder: join(config.DATA_DIR, 'files') };
  const name = nameOfLocation(place);
  const storage = instrumentStorage(await verifyStore(database, own(await openStorage(place)), name, log), metrics);
  const subjects = createSubjectReader(createPlatforms(config));
  const blocks = own(await openBlockList(database, subjects, log));
  const exits = own(openExits(config, { hostRefusal: blocks.refusalOfHost }));
  const testWorld = await openTestWorld({ config, log, keys, blocks, tracer, own, sealer: sealers.test });
  addNodeMetrics(metrics, database, config.DATA_DIR);
  addRenderMetrics(metrics, database, config.MAX_QUEUED_JOBS);
  const store = traceJobStore(openJobStore(database, sealers, config.MAX_QUEUED_JOBS, testWorld !== undefined), tracer);
  const ledger = own(await openLedger(database, isEmbedded, log));
  own(startSpendWarnings(database, log, metrics));
  // No other process has the embedded database open, so all running jobs in it were interrupted. On PostgreSQL, the
  // sweeper finds lost workers after they have had time for a heartbeat.
  if (isEmbedded) await store.queue.recoverLostRuns(true);
  const services = {
    version,
    config,
    log,
    database,
    node,
    blocks,
    subjects,
    storage,
    sealers,
    receipts,
    exits,
    metrics,
    tracer,
    store,
    addresses,
    own,
    keys,
    auditLog,
    ledger,
    testWorld,
  };
  const sources = openSources({ ...services, sealer: sealers.live, refusesTestItems: testWorld !== undefined });
  return { ...services, sources };
}

/** Creates a key of each kind for which none exists. */
async function createFirstKeys({ keys }: NodeServices): Promise<Service['newKeys']> {
  const extraction = await keys.createFirst('extraction', 'MEGA');
  const render = await keys.createFirst('render', 'MEGA');
  return {
    ...(extraction === undefined ? {} : { extraction: extraction.key }),
    ...(render === undefined ? {} : { render: render.key }),
  };
}

/** Logs a warning if the page has a key that does not work. */
async function checkPageKey({ keys, config, log }: NodeServices): Promise<void> {
  const { WEB_KEY: key } = config;
  if (key === undefined) return;
  const account = await keys.find('extraction', key);
  if (account === undefined) log.warn('WEB_KEY is not a key of the extraction API, so the page stays off');
  else if (account.endReason !== undefined)
    log.warn('the key in WEB_KEY was revoked, disabled, or has expired, so the page stays off');
}

/** Limits client connections and reports them. */
function openConnections({ config, log, metrics }: NodeServices): ConnectionTracker {
  const { MAX_CONNECTIONS: maxConnections, MAX_CONNECTIONS_PER_ADDRESS: perAddress, TRUSTED_PROXIES: proxies } = config;
  const maxAllowed = maxConnectionsFor(descriptorLimit());
  if (maxConnections > maxAllowed) {
    log.warn(
      `MAX_CONNECTIONS is ${maxConnections}, but the file descriptor limit allows only ${maxAllowed}: raise the limit (ulimit -n), or ` +
        'connections and files will fail before MAX_CONNECTIONS is reached.',
    );
  }
  const maxPerClient = perAddress ?? Math.ceil(maxConnections * MAX_SHARE_PER_ADDRESS);
  const connections = createConnectionTracker(
    { max: maxConnections, maxPerClient, proxies, memory: config.CLIENT_MEMORY * 1024 ** 2 },
    createConnectionReporter(metrics, log),
  );
  addConnectionGauges(metrics, connections, maxConnections);
  return connections;
}

/** Opens the server for the operator, with the metrics and the admin API. */
async function openAdminServer(
  services: NodeServices,
  port: number,
  unreadResponses: UnreadResponses | undefined,
): Promise<void> {
  const { config, log, database, blocks, subjects, sealers, keys, auditLog, metrics, testWorld, version, own } =
    services;
  const admin = own(createBareServer(log));
  addMetricsRoutes(admin, metrics, testWorld?.metrics);
  const { ADMIN_TOKEN: token, PLAN_LIMITS: plans } = config;
  if (token !== undefined)
    addAdminRoutes(admin, {
      database,
      keys,
      auditLog,
      cancelJobsOf: (owner) => cancelJobsOf(database, owner, 'the key was disabled.'),
      usage: openUsage(database),
      plans,
      nodes: openNodes(database),
      blocks,
      subjects,
      sealer: sealers.live,
      backup: database.backup,
      unreadResponses,
      version,
      token,
    });
  log.info({ admin: await listen(admin, config.ADMIN_HOST, port) }, 'metrics and admin API are ready');
}
