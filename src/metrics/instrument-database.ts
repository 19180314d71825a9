import type { Database } from '../database/database.ts';
import type { Metrics } from './metrics.ts';
import { timeCall } from './time-call.ts';

/**
 * Wraps a database so that its calls are timed and its failures counted. An error that the work of a transaction throws
 * by itself, such as a refusal, is not a failure of the database.
 */
export function instrumentDatabase(database: Database, metrics: Metrics): Database {
  return {
    ...database,
    query: (text, parameters) =>
      timeCall(
        () => database.query(text, parameters),
        (milliseconds, error) => metrics.databaseCall('query', milliseconds, error !== undefined),
      ),
    transaction(work, limit) {
      /** What a statement of the work threw, and what the work threw. They are the same if the work passes it on. */
      let statementError: unknown;
      let workError: unknown;
      const run: typeof work = async (sql) => {
        try {
          return await work({
            query: <Row>(text: string, parameters?: readonly unknown[]) =>
              sql.query<Row>(text, parameters).catch((error: unknown): never => {
                statementError = error;
                throw error;
              }),
          });
        } catch (error) {
          workError = error;
          throw error;
        }
      };
      return timeCall(
        () => database.transaction(run, limit),
        (milliseconds, error) => {
          const failed = error !== undefined && (error !== workError || error === statementError);
          metrics.databaseCall('transaction', milliseconds, failed);
        },
      );
    },
  };
}
