import { randomUUID } from 'node:crypto';
import type { Sql } from '../../database/database.ts';

/** Identity of a database and what it knows about its store. */
export interface Identity {
  /** Its ID, a UUID, which the mark of its store contains. */
  readonly database: string;
  /** Whether a store has its mark, so that a store without a mark is the wrong one. */
  readonly hasMarkedStore: boolean;
}

/** Reads the identity of a database; undefined if it has none yet. */
export async function readIdentity(sql: Sql): Promise<Identity | undefined> {
  const rows = await sql.query<{ name: string; value: string }>(
    `select name, value from service_facts where name in ('database_id', 'store_marked')`,
  );
  const facts = new Map(rows.map(({ name, value }) => [name, value]));
  const database = facts.get('database_id');
  return database === undefined ? undefined : { database, hasMarkedStore: facts.has('store_marked') };
}

/** Reads the identity of a database. The first node creates it. */
export async function ensureIdentity(sql: Sql): Promise<Identity> {
  await sql.query(`insert into service_facts (name, value) values ('database_id', $1) on conflict (name) do nothing`, [
    randomUUID(),
  ]);
  const identity = await readIdentity(sql);
  if (identity === undefined) throw new Error('the ID of the database is missing although it was just written');
  return identity;
}

/** Records that a store has the mark of this database. */
export async function rememberMarkedStore(sql: Sql): Promise<void> {
  await sql.query(
    `insert into service_facts (name, value) values ('store_marked', now()::text) on conflict (name) do nothing`,
  );
}

/**
 * Changes the ID of the database to that in the mark of its store: the database was restored from a copy that had no ID
 * yet.
 */
export async function replaceIdentity(sql: Sql, database: string): Promise<void> {
  await sql.query(`update service_facts set value = $1 where name = 'database_id'`, [database]);
}
