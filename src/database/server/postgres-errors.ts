import pg from 'pg';
import { MillraceError } from '../../contract/errors.ts';

/**
 * SQLSTATEs of PostgreSQL and poolers for a server that is unreachable, ends connections, has no resources left, is too
 * slow, or is a standby (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const unavailableStates = /^(?:08|28|53|58|57P0[1-5]|57014|25P0[34]|25006)/;

/** Serialization failures and deadlocks: the transaction had no effect. */
const conflictStates = /^(?:40001|40P01)$/;

/** Returns the SQLSTATE of a server error; undefined for other errors. */
function sqlState(error: unknown): string | undefined {
  if (error instanceof MillraceError) return sqlState(error.cause);
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** Whether the work certainly did not take effect, and can succeed if it is retried immediately. */
export function isTransactionConflict(error: unknown): boolean {
  return conflictStates.test(sqlState(error) ?? '');
}

/**
 * Whether the connection on which an error occurred cannot be used again. Errors that do not come from the server
 * concern the connection: it was refused, was cut or timed out, or no connection was free.
 */
export function isConnectionLost(error: unknown): boolean {
  const state = sqlState(error);
  return state === undefined ? !(error instanceof TypeError) : unavailableStates.test(state);
}

/**
 * Converts an error that means that the database is unreachable into `service_unavailable`. Returns others unchanged.
 */
export function toServiceError(error: unknown): unknown {
  if (!isConnectionLost(error) && !isTransactionConflict(error)) return error;
  const message = 'The database is unreachable or too slow. Try again in a moment.';
  return new MillraceError('service_unavailable', message, { cause: error });
}

/** Whether a pooler refused a connection because of a setting that it does not pass on to the server. */
export function isRejectedSetting(error: unknown): boolean {
  return sqlState(error) === '08P01' && error instanceof Error && error.message.includes('startup parameter');
}
