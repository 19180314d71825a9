import { join } from 'node:path';
import { mapWorlds } from '../contract/worlds.ts';
import type { Database } from '../database/database.ts';
import { makeRootFolder, namesIn } from '../files/folder.ts';
import { createHasher } from '../files/hashing/hasher.ts';
import { removeTree } from '../files/remove-tree.ts';
import { instrumentEgress, instrumentExits } from '../metrics/instrument-egress.ts';
import { addEngineMetrics, addWorkerMetrics } from '../metrics/worker-metrics.ts';
import type { OwnNode } from '../nodes/own-node.ts';
import { createEngine } from '../render/engine/create-engine.ts';
import { measureDisk } from '../render/jobs/stored-size.ts';
import { createReceiptIssuer, type ReceiptIssuer } from '../render/receipts/receipt-issuer.ts';
import { readSoftwareVersions } from '../render/receipts/software-versions.ts';
import { startTicker } from '../render/scheduling/ticker.ts';
import { folderScrubRate } from '../render/settings.ts';
import { type FileChecks, startFileChecks } from '../render/stored-files/file-checks.ts';
import { watchDisk } from '../render/worker/disk-watch.ts';
import { type Readiness, readinessOf } from '../render/worker/readiness.ts';
import { createResultDeliveries, type DeliveryEgress } from '../render/worker/result-deliveries.ts';
import { openRetention } from '../render/worker/result-retention.ts';
import { type RunWorld, runJob } from '../render/worker/run-job.ts';
import { watchStore } from '../render/worker/store-watch.ts';
import { openStoredQuota } from '../render/worker/stored-quota.ts';
import { openUploads } from '../render/worker/uploads.ts';
import { openWorkFolders } from '../render/worker/work-folders.ts';
import { startWorker, type Worker } from '../render/worker/worker.ts';
import { claimIdentity } from '../render/worker/worker-identity.ts';
import { traceRun } from '../tracing/instrument/trace-job-store.ts';
import { traceRunMetrics } from '../tracing/instrument/trace-run-metrics.ts';
import { type CoreServices, type NodeServices, type Sources, type World, worldsOf } from './services.ts';

/** Interval at which the use of the receipt key is recorded. */
const KEY_USE_MS = 3_600_000;

/** Maximum number of results that wait for the stores of callers: this worker sends heartbeats for the job of each. */
const MAX_WAITING_DELIVERIES = 50;
/** The part of them that may wait for one owner, so that a broken store does not affect the deliveries of others. */
const DELIVERY_OWNER_SHARE = 0.5;

/** The role `worker` of a node. */
export interface WorkerRole extends Worker {
  /** Identifies the worker across restarts. */
  readonly id: string;
  readonly readiness: Readiness;
}

/** Services that only some workers have. */
interface WorkerServices extends CoreServices {
  /** The database of the jobs, if there is one; the worker then also reads stored files back. */
  readonly database?: Database;
  /** The platforms, which are asked for new links. Absent in a command that only renders. */
  readonly sources?: Sources;
  /** The node, which an administrator may drain. Absent in a command that only renders. */
  readonly node?: Pick<OwnNode, 'drainReason'>;
}

/** Starts the role `worker`, which claims jobs and runs them. */
export async function startWorkerRole(services: WorkerServices): Promise<WorkerRole> {
  const { config, log, store: jobs, storage, metrics, tracer, database, sources, node, blocks, own } = services;
  const sealer = services.sealers.live;
  const { queue } = jobs;
  const { id } = own(await claimIdentity(config.DATA_DIR));
  const workspaces = await makeRootFolder(join(config.DATA_DIR, 'engine'));
  // Only one process has this worker ID, so any workspaces left here belong to a worker that was killed.
  for (const name of await namesIn(workspaces)) {
    await removeTree(join(workspaces, name)).catch((err: unknown) => {
      log.error({ err, name }, 'could not remove the folder of a former media engine child; remove it manually');
    });
  }
  const engine = own(createEngine({ log, directory: workspaces }));
  const isolation: { missing: readonly string[] } = { missing: [] };
  void engine.isolation.then((missing) => {
    isolation.missing = missing;
    for (const layer of missing) log.warn(`the media engine lacks an isolation layer: ${layer}`);
  });
  addEngineMetrics(metrics, engine, isolation);
  // Only one process has this worker ID, so jobs that run under it belong to an earlier process.
  await queue.recoverLostRuns(false, id);
  const folders = own(await openWorkFolders(join(config.DATA_DIR, 'work'), id, queue, log));
  const disk = watchDisk({
    folder: join(config.DATA_DIR, 'worker'),
    reserve: config.WORKER_DISK_RESERVE,
    makeRoom: folders.makeRoom,
    log,
  });
  const hasWaitingUploads = () => uploads.waiting.results > 0;
  const store = own(watchStore({ storage, isRetrying: hasWaitingUploads, log }));
  const uploads = openUploads({ storage, watch: store, sealer, metrics });
  const retention = openRetention({
    sealer,
    maxResults: MAX_WAITING_DELIVERIES,
    ownerShare: DELIVERY_OWNER_SHARE,
  });
  const deliveries = createResultDeliveries({ egress: deliveryEgress(services), retention, metrics, tracer });
  // No job is claimed before it is known whether the store is available and how the engine's children are isolated.
  await store.check();
  await engine.ready;
  const readiness = readinessOf(disk, store, () => node?.drainReason !== undefined);
  addWorkerMetrics(metrics, readiness, uploads);
  const receipts = await openReceiptIssuer(services);
  const runServices = {
    queue,
    worlds: mapWorlds(worldsOf(services, sources), runWorldOf),
    engine,
    storage,
    uploads,
    storedQuota: openStoredQuota({
      sizes: queue.storedSizes,
      disk: () => measureDisk(storage, config.WORKER_DISK_RESERVE),
    }),
    deliveries,
    checkUrl: services.exits.checkUrl,
    disk,
    sealer,
    folders,
    metrics: traceRunMetrics(metrics, tracer),
    tracer,
    receipts,
    blocks,
    visitorTimeMs: config.WEB_JOB_TIME * 1_000,
    log,
  };
  let running = 0;
  const checks = database === undefined ? undefined : openFileChecks({ ...services, database }, () => running > 0);
  const run = (...[job, progress, signal, place]: Parameters<Parameters<typeof startWorker>[0]['run']>) => {
    running += 1;
    const work = () => runJob(job, progress, signal, place, runServices);
    return traceRun(job, tracer, work).finally(() => {
      running -= 1;
      checks?.wake();
    });
  };
  const slots = config.WORKER_CONCURRENCY;
  const worker = own(
    await startWorker({ id, channels: jobs.statuses, queue, slots, readiness, run, discardRun: folders.leave, log }),
  );
  return {
    id,
    readiness,
    async close(deadline) {
      await Promise.all([checks?.close(), worker.close(deadline)]);
    },
  };
}

function runWorldOf({ exits, metrics, sealer, sources }: World<Sources | undefined>): RunWorld {
  return {
    exits: instrumentExits(exits, 'render', metrics),
    sealer,
    ...(sources === undefined ? {} : { reportMediaFetch: sources.mediaHealth.report }),
    ...(sources?.healer === undefined ? {} : { healer: sources.healer }),
  };
}

/** Returns the network access of deliveries to callers' stores. */
function deliveryEgress({ exits, metrics }: Pick<CoreServices, 'exits' | 'metrics'>): DeliveryEgress {
  return instrumentEgress(exits.forJobs, 'delivery', metrics);
}

/** Opens the issuer of receipts. Records at each start and every hour that its key is in use. */
async function openReceiptIssuer({ receipts: { signer, keys }, log, own }: CoreServices): Promise<ReceiptIssuer> {
  const hasher = own(createHasher());
  await keys.recordUse();
  const ticker = startTicker(KEY_USE_MS, 1, async () => {
    await keys.recordUse().catch((err: unknown) => {
      log.warn({ err }, 'the use of the receipt key could not be recorded; it will be recorded in an hour');
    });
  });
  own({ close: async () => ticker.stop() });
  return createReceiptIssuer({ hasher, signer, software: await readSoftwareVersions() });
}

/**
 * Starts the checks that read stored files back. Files in an S3-compatible store are hashed during the upload, so they
 * are read back only if `SCRUB_RATE` is set.
 */
function openFileChecks(
  services: Pick<NodeServices, 'config' | 'database' | 'storage' | 'metrics' | 'log' | 'own'>,
  isBusy: () => boolean,
): FileChecks | undefined {
  const { config, database, storage, metrics, log, own } = services;
  const onDisk = config.STORAGE_URL === undefined || 'folder' in config.STORAGE_URL;
  const { SCRUB_RATE: rate = onDisk ? folderScrubRate : 0, SCRUB_INTERVAL: interval } = config;
  if (!onDisk && rate === 0) return undefined;
  return own(startFileChecks({ sql: database, storage, metrics, rate, interval, busy: isBusy, log }));
}
