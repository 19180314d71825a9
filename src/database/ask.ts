import type pg from 'pg';

/** Nobody has answered in time. */
export class SilenceError extends Error {
  override readonly name = 'SilenceError';
}

/** What is asked of the server. */
export interface Question {
  readonly text: string;
  readonly parameters: readonly unknown[];
  /** Milliseconds until there is an answer. */
  readonly limit: number;
}

/**
 * Runs a statement on a connection; one that stayed silent is of no more use.
 *
 * The library's own promises and limits are not used: for either it makes a function in an assignment to a property, and
 * V8 places such a function in the old generation at once (`CheckAssigningFunctionLiteralToProperty` in its parser, seen
 * 2026-11-22). From there it holds the answer, dead or not, until that generation is collected, which takes many minutes.
 *
 * @throws SilenceError, pg.DatabaseError, or an Error about the connection
 */
export async function ask(client: pg.ClientBase, { text, parameters, limit }: Question): Promise<unknown[]> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown[]>();
  const timer = setTimeout(() => reject(new SilenceError(`the database has not answered within ${limit} ms`)), limit);
  client.query(text, [...parameters], (error: Error | null, result: pg.QueryResult | readonly pg.QueryResult[]) => {
    if (error) reject(error);
    // Several statements at once are about a transaction; nobody reads what they return.
    else resolve('rows' in result ? result.rows : []);
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
