import type pg from 'pg';

/** The server did not answer in time. */
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
 * The library's own promises and limits are not used: for either it makes a function in an assignment to a property, and
 * V8 places such a function in the old generation at once (`CheckAssigningFunctionLiteralToProperty` in its parser, seen
 * 2026-11-22). From there it holds the result, dead or not, until that generation is collected, which takes many minutes.
 *
 * @throws StatementTimeoutError, pg.DatabaseError, or an Error about the connection
 */
export async function runStatement(client: pg.ClientBase, { text, parameters, limit }: Statement): Promise<unknown[]> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown[]>();
  const timer = setTimeout(
    () => reject(new StatementTimeoutError(`the database has not answered within ${limit} ms`)),
    limit,
  );
  client.query(text, [...parameters], (error: Error | null, result: pg.QueryResult | readonly pg.QueryResult[]) => {
    if (error) reject(error);
    // Several statements in one text control transactions; their results are not read.
    else resolve('rows' in result ? result.rows : []);
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
