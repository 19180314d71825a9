import { join } from 'node:path';
import type { Database } from '../database/database.ts';
import { makeRoot, namesIn } from '../files/folder.ts';
import { removeTree } from '../files/remove.ts';
import { countExits } from '../metrics/count-egress.ts';
import { addWorkerMetrics } from '../metrics/worker-metrics.ts';
import { createEngine } from '../render/engine/create-engine.ts';
import { type FileChecks, startFileChecks } from '../render/stored-files/file-checks.ts';
import { watchDisk } from '../render/worker/disk-watch.ts';
import { claimIdentity } from '../render/worker/identity.ts';
import { type Readiness, readinessOf } from '../render/worker/readiness.ts';
import { runJob } from '../render/worker/run-job.ts';
import { watchStore } from '../render/worker/store-watch.ts';
import { openUploads } from '../render/worker/uploads.ts';
import { openWorkFolders } from '../render/worker/work-folders.ts';
import { startWorker, type Worker } from '../render/worker/worker.ts';
import type { CommonParts, Parts } from './parts.ts';

/** The role `worker` of a node. */
export interface WorkerRole extends Worker {
  readonly readiness: Readiness;
}

/**
 * Starts the role `worker`: takes up jobs and carries them out.
 *
 * @param database Where the files of past jobs are known, which are then read back.
 */
export async function startWorkerRole(parts: CommonParts, database?: Database): Promise<WorkerRole> {
  const { config, log, store: jobs, storage, sealer, metrics, own } = parts;
  const { queue } = jobs;
  const { id } = own(await claimIdentity(config.DATA_DIR));
  const workspaces = await makeRoot(join(config.DATA_DIR, 'engine'));
  // Only one process has this worker id, so any workspaces left here belong to a worker that was killed.
  for (const name of await namesIn(workspaces)) {
    await removeTree(join(workspaces, name)).catch((err: unknown) => {
      log.error({ err, name }, 'could not remove the folder of a former media engine child; remove it by hand');
    });
  }
  const engine = own(createEngine({ log, directory: workspaces }));
  const isolation: { missing: readonly string[] } = { missing: [] };
  void engine.isolation.then((missing) => {
    isolation.missing = missing;
    for (const layer of missing) log.warn(`the media engine lacks an isolation layer: ${layer}`);
  });
  metrics.gauges(
    'engine_isolation_missing',
    'Isolation layers that media engine children lack on this system, each with its consequence.',
    'layer',
    () => new Map(isolation.missing.map((layer) => [layer, 1])),
  );
  metrics.gauge('engine_children', 'Child processes of the media engine.', () => engine.children);
  // Nobody else is this worker: what was running under its name is not any more.
  await queue.recover(false, id);
  const folders = own(await openWorkFolders(join(config.DATA_DIR, 'work'), id, queue, log));
  const exits = countExits(parts.exits, 'render', metrics);
  const disk = watchDisk({
    folder: join(config.DATA_DIR, 'worker'),
    reserve: config.WORKER_DISK_RESERVE,
    makeRoom: folders.makeRoom,
    log,
  });
  const retried = () => uploads.waiting.results > 0;
  const store = own(watchStore({ storage, retried, log }));
  const uploads = openUploads({ storage, watch: store, sealer, metrics });
  // A store can be away at the start; no job is claimed before that is known.
  await store.check();
  // Nor before it is known how its children are confined.
  await engine.ready;
  const readiness = readinessOf(disk, store);
  addWorkerMetrics(metrics, readiness, uploads);
  const services = { queue, exits, engine, storage, uploads, disk, sealer, folders, metrics, log };
  let running = 0;
  const checks = database === undefined ? undefined : openFileChecks({ ...parts, database }, () => running > 0);
  const run = (...[claimed, progress, signal, place]: Parameters<Parameters<typeof startWorker>[0]['run']>) => {
    running += 1;
    return runJob(claimed, progress, signal, place, services).finally(() => {
      running -= 1;
      checks?.wake();
    });
  };
  const slots = config.WORKER_CONCURRENCY;
  const worker = own(
    await startWorker({ id, channels: jobs.statuses, queue, slots, readiness, run, forget: folders.leave, log }),
  );
  return {
    readiness,
    async close(deadline) {
      await Promise.all([checks?.close(), worker.close(deadline)]);
    },
  };
}

/** Bytes a second at which files on a disk are read back. */
const DISK_SCRUB_RATE = 4_000_000;

/** Files in an S3-compatible store are hashed during the upload, so they are read back only if `SCRUB_RATE` is set. */
function openFileChecks(parts: Omit<Parts, 'keys'>, busy: () => boolean): FileChecks | undefined {
  const { config, database, storage, metrics, log, own } = parts;
  const onDisk = config.STORAGE_URL === undefined || 'folder' in config.STORAGE_URL;
  const { SCRUB_RATE: rate = onDisk ? DISK_SCRUB_RATE : 0, SCRUB_INTERVAL: interval } = config;
  if (!onDisk && rate === 0) return undefined;
  return own(startFileChecks({ sql: database, storage, metrics, rate, interval, busy, log }));
}
