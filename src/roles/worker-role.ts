import { join } from 'node:path';
import type { Database } from '../database/database.ts';
import { makeRootFolder, namesIn } from '../files/folder.ts';
import { removeTree } from '../files/remove-tree.ts';
import { instrumentExits } from '../metrics/instrument-egress.ts';
import { addEngineMetrics, addWorkerMetrics } from '../metrics/worker-metrics.ts';
import { createEngine } from '../render/engine/create-engine.ts';
import { folderScrubRate } from '../render/settings.ts';
import { type FileChecks, startFileChecks } from '../render/stored-files/file-checks.ts';
import { watchDisk } from '../render/worker/disk-watch.ts';
import { type Readiness, readinessOf } from '../render/worker/readiness.ts';
import { runJob } from '../render/worker/run-job.ts';
import { watchStore } from '../render/worker/store-watch.ts';
import { openUploads } from '../render/worker/uploads.ts';
import { openWorkFolders } from '../render/worker/work-folders.ts';
import { startWorker, type Worker } from '../render/worker/worker.ts';
import { claimIdentity } from '../render/worker/worker-identity.ts';
import type { CoreServices, NodeServices } from './services.ts';

/** The role `worker` of a node. */
export interface WorkerRole extends Worker {
  readonly readiness: Readiness;
}

/**
 * Starts the role `worker`, which claims jobs and runs them.
 *
 * @param database The database of the jobs, if there is one; the worker then also reads stored files back.
 */
export async function startWorkerRole(services: CoreServices, database?: Database): Promise<WorkerRole> {
  const { config, log, store: jobs, storage, sealer, metrics, own } = services;
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
  const exits = instrumentExits(services.exits, 'render', metrics);
  const disk = watchDisk({
    folder: join(config.DATA_DIR, 'worker'),
    reserve: config.WORKER_DISK_RESERVE,
    makeRoom: folders.makeRoom,
    log,
  });
  const hasWaitingUploads = () => uploads.waiting.results > 0;
  const store = own(watchStore({ storage, isRetrying: hasWaitingUploads, log }));
  const uploads = openUploads({ storage, watch: store, sealer, metrics });
  // No job is claimed before it is known whether the store is available and how the engine's children are isolated.
  await store.check();
  await engine.ready;
  const readiness = readinessOf(disk, store);
  addWorkerMetrics(metrics, readiness, uploads);
  const runServices = { queue, exits, engine, storage, uploads, disk, sealer, folders, metrics, log };
  let running = 0;
  const checks = database === undefined ? undefined : openFileChecks({ ...services, database }, () => running > 0);
  const run = (...[job, progress, signal, place]: Parameters<Parameters<typeof startWorker>[0]['run']>) => {
    running += 1;
    return runJob(job, progress, signal, place, runServices).finally(() => {
      running -= 1;
      checks?.wake();
    });
  };
  const slots = config.WORKER_CONCURRENCY;
  const worker = own(
    await startWorker({ id, channels: jobs.statuses, queue, slots, readiness, run, discardRun: folders.leave, log }),
  );
  return {
    readiness,
    async close(deadline) {
      await Promise.all([checks?.close(), worker.close(deadline)]);
    },
  };
}

/**
 * Starts the checks that read stored files back. Files in an S3-compatible store are hashed during the upload, so they
 * are read back only if `SCRUB_RATE` is set.
 */
function openFileChecks(services: Omit<NodeServices, 'keys'>, isBusy: () => boolean): FileChecks | undefined {
  const { config, database, storage, metrics, log, own } = services;
  const onDisk = config.STORAGE_URL === undefined || 'folder' in config.STORAGE_URL;
  const { SCRUB_RATE: rate = onDisk ? folderScrubRate : 0, SCRUB_INTERVAL: interval } = config;
  if (!onDisk && rate === 0) return undefined;
  return own(startFileChecks({ sql: database, storage, metrics, rate, interval, busy: isBusy, log }));
}
