import type { Sql } from '../database/database.ts';
import {
  type AuditSealer,
  type ChainStart,
  hashOfEntry,
  newBeginning,
  type SealedStart,
  type StoredEntry,
  sealStart,
} from './audit-chain.ts';
import { readEntries } from './stored-entries.ts';

/** Entries of one statement. */
const PAGE = 500;

/** Returns where the chain begins; undefined if it has not begun, or if somebody deleted the record. */
export async function readStart(sql: Sql): Promise<SealedStart | undefined> {
  const [start] = await sql.query<SealedStart>('select hash, adopted, since, seal from audit_start');
  return start;
}

/** Stores and seals where the chain begins, and whether that is accepted. */
export async function writeStart(sql: Sql, sealer: AuditSealer, start: ChainStart, isAccepted: boolean): Promise<void> {
  await sql.query(
    `insert into audit_start (hash, adopted, since, seal) values ($1, $2, $3, $4)
     on conflict (only_row) do update
     set hash = excluded.hash, adopted = excluded.adopted, since = excluded.since, seal = excluded.seal`,
    [start.hash, start.adopted, start.since, sealStart(sealer, start, isAccepted)],
  );
}

/**
 * Begins the chain with the entries of earlier versions. Returns their number. The caller must hold the lock of the chain.
 * A new service accepts its beginning. In any other, somebody may have removed the chain before, so an operator must.
 */
export async function beginChain(sql: Sql, sealer: AuditSealer): Promise<number> {
  const entries: StoredEntry[] = [];
  for (let page: StoredEntry[] | undefined; page === undefined || page.length === PAGE; ) {
    const cursor = entries.at(-1)?.id;
    page = await readEntries(sql, cursor === undefined ? {} : { cursor }, PAGE);
    entries.push(...page);
  }
  entries.reverse();
  const beginning = newBeginning();
  let hash = beginning;
  for (let from = 0; from < entries.length; from += PAGE) {
    const page = entries.slice(from, from + PAGE).map((entry) => {
      hash = hashOfEntry(hash, entry);
      return { id: entry.id, hash, seal: sealer.seal('entry', hash) };
    });
    await sql.query(
      `update audit_log set hash = chained.hash, seal = chained.seal
       from unnest($1::text[]::bigint[], $2::text[], $3::text[]) as chained (id, hash, seal)
       where audit_log.id = chained.id`,
      [page.map(({ id }) => id), page.map((entry) => entry.hash), page.map(({ seal }) => seal)],
    );
  }
  const adopted = entries.at(-1)?.id ?? '0';
  const [key] = await sql.query('select 1 from api_keys limit 1');
  const isNew = entries.length === 0 && key === undefined;
  await writeStart(sql, sealer, { hash: beginning, adopted, since: new Date().toISOString() }, isNew);
  return entries.length;
}
