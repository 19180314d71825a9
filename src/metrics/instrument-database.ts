import { MillraceError } from '../contract/errors.ts';
import type { Database } from '../database/database.ts';
import type { DatabaseCall } from './call-metrics.ts';
import type { Metrics } from './metrics.ts';
import { timed } from './timed.ts';

/** Wraps a database so that its calls are timed and its failures counted. */
export function instrumentDatabase(database: Database, metrics: Metrics): Database {
  const ended = (call: DatabaseCall) => (milliseconds: number, error: unknown) => {
    // An error of the catalogue, thrown in a transaction, is not a failure of the database.
    metrics.databaseCall(call, milliseconds, error !== undefined && !(error instanceof MillraceError));
  };
  return {
    ...database,
    query: (text, parameters) => timed(() => database.query(text, parameters), ended('query')),
    transaction: (work) => timed(() => database.transaction(work), ended('transaction')),
  };
}
