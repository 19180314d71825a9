import type { Logger } from 'pino';
import type { Sql } from '../database/database.ts';
import { type ApiKeyInfo, infoColumns } from './api-key.ts';
import type { KeyHashes } from './key-hasher.ts';

/**
 * A key that is stored under the key hash secret is found by nothing else. The others are found as earlier versions
 * stored them. A `union`, because the server would read the whole table for an `or`.
 */
const findStatement = `
  with matches as (
    select id, key_hash from api_keys where key_hash = any($1)
    union all
    select id, key_hash from api_keys where key_hash is null and hash = any($2)
    union all
    select key_id, key_hash from retired_key_hashes where key_hash = any($1) and ($3 or works_until > now())
    union all
    select key_id, key_hash from retired_key_hashes
    where key_hash is null and hash = any($2) and ($3 or works_until > now())
  )
  select ${infoColumns}, "foundBy" from api_keys
  join (select id, key_hash as "foundBy" from matches order by key_hash is null limit 1) as found using (id)`;

const rehashStatement = `
  with current as (
    update api_keys set key_hash = $1 where key_hash = any($2) or (key_hash is null and hash = any($3))
  )
  update retired_key_hashes set key_hash = $1 where key_hash = any($2) or (key_hash is null and hash = any($3))`;

/**
 * Finds a key by its hashes, and stores it under the newest key hash secret if it is not yet. From then on, it no longer
 * depends on the secret that it was found under.
 *
 * @param includeReplaced Whether to find keys that were replaced and whose grace period has ended.
 */
export async function findKey(
  sql: Sql,
  { own, signing }: KeyHashes,
  log: Logger,
  includeReplaced = false,
): Promise<ApiKeyInfo | undefined> {
  const [row] = await sql.query<ApiKeyInfo & { foundBy: string | null }>(findStatement, [
    own,
    signing,
    includeReplaced,
  ]);
  if (row === undefined) return undefined;
  const { foundBy, ...info } = row;
  if (foundBy !== own[0]) {
    await sql.query(rehashStatement, [own[0], own, signing]).catch((err: unknown) => {
      log.warn({ err, key: info.id }, 'a key could not be moved to the key hash secret; its next use tries again');
    });
  }
  return info;
}
