import { MillraceError } from '../contract/errors.ts';
import type { Database } from '../database/database.ts';
import type { DatabaseCall } from './call-metrics.ts';
import type { Metrics } from './metrics.ts';
import { timed } from './timed.ts';

/** The same database; how long it takes is counted. */
export function countDatabase(database: Database, metrics: Metrics): Database {
  const ended = (call: DatabaseCall) => (milliseconds: number, error: unknown) => {
    // What we refuse in a transaction is no failure of the database.
    metrics.databaseCall(call, milliseconds, error !== undefined && !(error instanceof MillraceError));
  };
  return {
    ...database,
    query: (text, parameters) => timed(() => database.query(text, parameters), ended('query')),
    transaction: (work) => timed(() => database.transaction(work), ended('transaction')),
  };
}
