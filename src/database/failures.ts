import pg from 'pg';
import { MillraceError } from '../contract/errors.ts';

/**
 * What PostgreSQL and poolers say when the server is not there, ends connections, has no resources left, was too slow, or
 * turns out to be a standby (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const outOfReach = /^(?:08|28|53|58|57P0[1-5]|57014|25P0[34]|25006)/;

/** A statement had to make way for others, and nothing of its transaction took effect: deadlocks and the like. */
const contested = /^(?:40001|40P01)$/;

/** The SQLSTATE of what the server said, told to callers or not yet; undefined where it is not the server that speaks. */
function sqlState(error: unknown): string | undefined {
  if (error instanceof MillraceError) return sqlState(error.cause);
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** Whether the same work, done again at once, can succeed, and is certain not to have taken effect. */
export function isContested(error: unknown): boolean {
  return contested.test(sqlState(error) ?? '');
}

/**
 * Whether the connection that an error came over is of no more use. What the server did not say is about the
 * connection: it was refused or cut, nobody answered in time, or none was free.
 */
export function isOutOfReach(error: unknown): boolean {
  const state = sqlState(error);
  return state === undefined ? !(error instanceof TypeError) : outOfReach.test(state);
}

/** The error as callers of the service may see it, where it is the database's absence; any other stays as it is. */
export function asFailure(error: unknown): unknown {
  if (!isOutOfReach(error) && !isContested(error)) return error;
  const message = 'The database is out of reach or too slow for now. Try again in a moment.';
  return new MillraceError('service_unavailable', message, { cause: error });
}

/** Whether a pooler refuses a connection because of a setting that it does not pass on to the server. */
export function refusesSettings(error: unknown): boolean {
  return sqlState(error) === '08P01' && error instanceof Error && error.message.includes('startup parameter');
}
