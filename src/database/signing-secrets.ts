import { randomBytes } from 'node:crypto';
import type { Sql } from './database.ts';

/**
 * Returns the operator's signing secrets, or one that is created at the first start and stored in the database for all
 * nodes.
 */
export async function loadSigningSecrets(
  sql: Sql,
  operatorSecrets: readonly string[] | undefined,
): Promise<readonly string[]> {
  if (operatorSecrets !== undefined && operatorSecrets.length > 0) return operatorSecrets;
  await sql.query(
    `insert into service_facts (name, value) values ('signing_secret', $1) on conflict (name) do nothing`,
    [randomBytes(32).toString('base64url')],
  );
  const rows = await sql.query<{ value: string }>(`select value from service_facts where name = 'signing_secret'`);
  return rows.map(({ value }) => value);
}
