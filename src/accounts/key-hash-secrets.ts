import { randomBytes } from 'node:crypto';
import type { Sql } from '../database/database.ts';

const fact = 'key_hash_secret';

/**
 * Returns the secrets that keys are hashed with, newest first: those of the operator, then the one that is created at the
 * first start without them. The latter stays in the database, so that its keys work after the operator sets others.
 */
export async function loadKeyHashSecrets(
  sql: Sql,
  operatorSecrets: readonly string[] | undefined = [],
): Promise<readonly string[]> {
  if (operatorSecrets.length === 0) {
    await sql.query('insert into service_facts (name, value) values ($1, $2) on conflict (name) do nothing', [
      fact,
      randomBytes(32).toString('base64url'),
    ]);
  }
  const rows = await sql.query<{ value: string }>('select value from service_facts where name = $1', [fact]);
  return [...operatorSecrets, ...rows.map(({ value }) => value)];
}
