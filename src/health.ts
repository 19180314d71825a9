import type { FastifyInstance } from 'fastify';
import { MillraceError } from './contract/errors.ts';
import type { Database } from './database/database.ts';
import type { Storage } from './storage/storage.ts';

const CHECK_TIMEOUT_MS = 5_000;
const fine = { status: 'ok' };

/**
 * Adds `/health`: whether the service can do its work now, and is about to go on with it, so that requests are sent to it
 * (readiness); and `/health/live`: whether the process answers at all (liveness). A database that is away is no reason to
 * start anew.
 */
export function addHealthRoute(
  app: FastifyInstance,
  { database, storage, stopping }: { database: Database; storage: Storage; stopping: () => boolean },
): void {
  const config = { answersWhenFull: true };
  app.get('/health/live', { config }, (_request, reply) => reply.header('cache-control', 'no-store').send(fine));

  app.get('/health', { config }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    if (stopping()) throw new MillraceError('service_unavailable', 'This node is about to stop. Ask another one.');
    try {
      await inTime(Promise.all([database.query('select 1'), storage.check()]));
    } catch (error) {
      throw new MillraceError('service_unavailable', 'The database or the storage is out of reach.', { cause: error });
    }
    return fine;
  });
}

async function inTime(checks: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('a check took too long')), CHECK_TIMEOUT_MS);
  try {
    await Promise.race([checks, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
