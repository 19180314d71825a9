import type { Sql } from '../../database/database.ts';

/**
 * Reads the row of a job with a statement that locks it (`for update`). A restart replaces the row. A statement that
 * waits for the lock of the replaced row does not find the new one, so it is repeated once.
 */
export async function lockJob<Row extends object>(
  sql: Sql,
  statement: string,
  parameters: readonly unknown[],
): Promise<Row | undefined> {
  const [row] = await sql.query<Row>(statement, parameters);
  if (row !== undefined) return row;
  const [newRow] = await sql.query<Row>(statement, parameters);
  return newRow;
}
