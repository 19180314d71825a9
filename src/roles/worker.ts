import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { countExits } from '../metrics/count-egress.ts';
import { createEngine } from '../render/engine/create-engine.ts';
import { runJob } from '../render/worker/run-job.ts';
import { startWorker, type Worker } from '../render/worker/worker.ts';
import type { Parts } from './parts.ts';

/** Starts the role `worker`: takes up jobs and carries them out. */
export async function startWorkerRole(parts: Parts): Promise<Worker> {
  const { config, log, database, queue, storage, sealer, metrics, own } = parts;
  const engine = own(createEngine({ log, dataDirectory: config.DATA_DIR }));
  for (const layer of engine.missingIsolation) log.warn(`media is processed without a layer of isolation: ${layer}`);
  metrics.gauge('engine_children', 'Child processes of the media engine.', () => engine.children);
  const workDirectory = join(config.DATA_DIR, 'work');
  await rm(workDirectory, { recursive: true, force: true });
  const exits = countExits(parts.exits, 'render', metrics);
  const services = { queue, exits, engine, storage, sealer, workDirectory, metrics, log };
  const run = (...[claimed, progress, signal]: Parameters<Parameters<typeof startWorker>[0]['run']>) =>
    runJob(claimed, progress, signal, services);
  return own(await startWorker({ database, queue, slots: config.WORKER_CONCURRENCY, run, log }));
}
