import type { FastifyInstance } from 'fastify';
import { MillraceError } from '../contract/errors.ts';
import type { PausedWorker, PauseReason } from '../contract/worker-pause.ts';
import { withTimeout } from '../waiting/with-timeout.ts';

const CHECK_TIMEOUT_MS = 5_000;
const ok = { status: 'ok' };

/** Why a worker takes no jobs, and what to do about it. */
const pauseMessages: Readonly<Record<PauseReason, string>> = {
  disk_full: 'the disk of DATA_DIR is full. Free some space',
  disk_failing: 'the disk of DATA_DIR is failing. Check it',
  store_failing: 'the store is failing. Check it',
  draining: 'an administrator drains this node. Resume it when it may work again',
};

/** What the health routes check. */
interface HealthChecks {
  /** Rejects while the database is unreachable. */
  readonly database: () => Promise<unknown>;
  /** Rejects while the storage is unreachable. */
  readonly storage: () => Promise<unknown>;
  /** Returns whether the node is about to stop. */
  readonly isStopping: () => boolean;
  /** Returns whether an administrator drains the node. */
  readonly isDraining: () => boolean;
  /** Returns why the node's worker takes no jobs; empty if it does, or if the node has no worker. */
  readonly pauseReasons: () => readonly PauseReason[];
  /** Whether worker is the node's only role, so that the node is idle while the worker is paused. */
  readonly workerOnly: boolean;
}

/**
 * Adds the health routes:
 * - `/health`: whether the service can do all its work. A paused worker counts only if the node has no other role.
 * - `/health/ready`: whether a load balancer should send requests here. Unlike `/health`, it ignores the store, which
 *   all nodes share: extraction and job starts work without it. A node that an administrator drains is not ready.
 * - `/health/live`: whether the process responds at all. An unreachable database is no reason to restart it.
 */
export function addHealthRoutes(app: FastifyInstance, checks: HealthChecks): void {
  const { database, storage, isStopping, isDraining, pauseReasons, workerOnly } = checks;
  const config = { exemptFromLimit: true };
  app.get('/health/live', { config }, (_request, reply) => reply.header('cache-control', 'no-store').send(ok));

  app.get('/health/ready', { config }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    refuseWhenStopping(isStopping);
    if (isDraining()) throw drainingError();
    try {
      await withTimeout(database(), CHECK_TIMEOUT_MS);
    } catch (error) {
      throw new MillraceError('service_unavailable', 'The database is unreachable. Try again later.', { cause: error });
    }
    return ok;
  });

  app.get('/health', { config }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    refuseWhenStopping(isStopping);
    try {
      await withTimeout(Promise.all([database(), storage()]), CHECK_TIMEOUT_MS);
    } catch (error) {
      throw new MillraceError('service_unavailable', 'The database or the storage is unreachable. Try again later.', {
        cause: error,
      });
    }
    const reasons = pauseReasons();
    const [reason] = reasons;
    if (reason === undefined) return ok;
    if (!workerOnly) return { ...ok, worker: { status: 'paused', reasons: [...reasons] } satisfies PausedWorker };
    throw new MillraceError('service_unavailable', `The worker takes no jobs: ${pauseMessages[reason]}.`);
  });
}

function refuseWhenStopping(isStopping: HealthChecks['isStopping']): void {
  if (isStopping())
    throw new MillraceError('service_unavailable', 'This node is about to stop. Send the request to another node.');
}

function drainingError(): MillraceError {
  return new MillraceError(
    'service_unavailable',
    'An administrator is draining this node. Send the request to another node.',
    { reason: 'draining' },
  );
}
