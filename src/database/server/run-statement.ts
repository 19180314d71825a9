import type pg from 'pg';

/** Thrown if the server does not respond in time. */
export class StatementTimeoutError extends Error {
  override readonly name = 'StatementTimeoutError';
}

/** A statement for the server. */
interface Statement {
  readonly text: string;
  readonly parameters: readonly unknown[];
  /** Time limit in milliseconds. */
  readonly limit: number;
}

/**
 * Runs a statement on a connection. After a timeout the connection must not be used again.
 *
 * The library's own promises and limits are not used. Both make the library assign a function to a property, and V8
 * places such a function in the old generation immediately (`CheckAssigningFunctionLiteralToProperty` in its parser,
 * seen 2026-11-22). From there it keeps the result alive until that generation is collected, which takes many minutes.
 *
 * @throws StatementTimeoutError, pg.DatabaseError, or an Error about the connection
 */
export async function runStatement(client: pg.ClientBase, { text, parameters, limit }: Statement): Promise<unknown[]> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown[]>();
  const timer = setTimeout(
    () => reject(new StatementTimeoutError(`the database did not respond within ${limit} ms`)),
    limit,
  );
  client.query(text, [...parameters], (error: Error | null, result: pg.QueryResult | readonly pg.QueryResult[]) => {
    if (error) reject(error);
    // A text with several statements only controls transactions, and its results are not read.
    else resolve('rows' in result ? result.rows : []);
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
