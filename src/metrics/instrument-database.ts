import { MillraceError } from '../contract/errors.ts';
import type { Database } from '../database/database.ts';
import type { DatabaseCall } from './call-metrics.ts';
import type { Metrics } from './metrics.ts';
import { timeCall } from './time-call.ts';

/** Wraps a database so that its calls are timed and its failures counted. */
export function instrumentDatabase(database: Database, metrics: Metrics): Database {
  const onEnd = (call: DatabaseCall) => (milliseconds: number, error: unknown) => {
    // A MillraceError that the work of a transaction throws is not a failure of the database.
    metrics.databaseCall(call, milliseconds, error !== undefined && !(error instanceof MillraceError));
  };
  return {
    ...database,
    query: (text, parameters) => timeCall(() => database.query(text, parameters), onEnd('query')),
    transaction: (work) => timeCall(() => database.transaction(work), onEnd('transaction')),
  };
}
