import { randomBytes } from 'node:crypto';
import type { Sql } from './database.ts';

/** The secrets of the operator, or one made at the first start and kept in the database, so that all nodes share it. */
export async function signingSecrets(sql: Sql, configured: readonly string[] | undefined): Promise<readonly string[]> {
  if (configured !== undefined && configured.length > 0) return configured;
  await sql.query(
    `insert into service_facts (name, value) values ('signing_secret', $1) on conflict (name) do nothing`,
    [randomBytes(32).toString('base64url')],
  );
  const found = await sql.query<{ value: string }>(`select value from service_facts where name = 'signing_secret'`);
  return found.map(({ value }) => value);
}
