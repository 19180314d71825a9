import type { FastifyInstance } from 'fastify';
import { MillraceError } from '../contract/errors.ts';
import type { PausedWorker, PauseReason } from '../contract/worker-pause.ts';
import type { Database } from '../database/database.ts';
import type { Readiness } from '../render/worker/readiness.ts';
import type { Storage } from '../storage/storage.ts';
import { inTime } from '../waiting/in-time.ts';

const CHECK_TIMEOUT_MS = 5_000;
const fine = { status: 'ok' };

/** What is wrong with a worker that takes up no jobs, and what to do. */
const pauses: Readonly<Record<PauseReason, string>> = {
  disk_full: 'the disk of DATA_DIR is full. Make room on it',
  disk_failing: 'the disk of DATA_DIR fails. Check it',
  store_failing: 'the store fails. Check it',
};

/** What `/health` checks. */
export interface HealthParts {
  readonly database: Database;
  readonly storage: Storage;
  readonly stopping: () => boolean;
  /** Of a node with the role worker. */
  readonly worker?: Pick<Readiness, 'reasons'> | undefined;
  /** Whether the node has no other role, and so nothing to do while its worker is paused. */
  readonly workerOnly: boolean;
}

/**
 * Adds the health routes:
 * - `/health`: whether the service can do all its work. A paused worker counts only if the node has no other role.
 * - `/health/ready`: whether a balancer should send requests here. Unlike `/health`, it ignores the store: all nodes share
 *   it, and extraction and start calls work without it.
 * - `/health/live`: whether the process answers at all. A database that is away is no reason to restart.
 */
export function addHealthRoute(
  app: FastifyInstance,
  { database, storage, stopping, worker, workerOnly }: HealthParts,
): void {
  const config = { answersWhenFull: true };
  app.get('/health/live', { config }, (_request, reply) => reply.header('cache-control', 'no-store').send(fine));

  app.get('/health/ready', { config }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    refuseWhenStopping(stopping);
    try {
      await inTime(database.query('select 1'), CHECK_TIMEOUT_MS);
    } catch (error) {
      throw new MillraceError('service_unavailable', 'The database is out of reach.', { cause: error });
    }
    return fine;
  });

  app.get('/health', { config }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    refuseWhenStopping(stopping);
    try {
      await inTime(Promise.all([database.query('select 1'), storage.check()]), CHECK_TIMEOUT_MS);
    } catch (error) {
      throw new MillraceError('service_unavailable', 'The database or the storage is out of reach.', { cause: error });
    }
    const reasons = worker?.reasons ?? [];
    const [reason] = reasons;
    if (reason === undefined) return fine;
    if (!workerOnly) return { ...fine, worker: { status: 'paused', reasons: [...reasons] } satisfies PausedWorker };
    throw new MillraceError('service_unavailable', `The worker takes up no jobs: ${pauses[reason]}.`);
  });
}

function refuseWhenStopping(stopping: HealthParts['stopping']): void {
  if (stopping()) throw new MillraceError('service_unavailable', 'This node is about to stop. Ask another one.');
}
