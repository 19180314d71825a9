import type { AuditAction, AuditEntry, Changes, MemberValue } from '../contract/admin-api/audit-entry.ts';
import { advisoryLocks } from '../database/advisory-locks.ts';
import type { Database, Sql } from '../database/database.ts';
import {
  type AuditSealer,
  type ChainedEntry,
  type ChainStart,
  createAuditSealer,
  createChainChecker,
  hashOfEntry,
} from './audit-chain.ts';
import { type AuditVerification, chainColumns, readStart, verifyChain } from './verify-chain.ts';

/** Who makes a change. */
export interface Actor {
  readonly name: string;
  /** ID of the request that makes the change. */
  readonly requestId?: string;
}

/** A change to record. It must contain no secrets. */
interface AuditedChange {
  readonly action: AuditAction;
  /** ID of the changed object. */
  readonly target: string;
  /** The changed members; see {@link changedMembers}. Default: none. */
  readonly changes?: Changes;
  readonly reason?: string | undefined;
}

/** Which entries to list. */
interface AuditQuery {
  readonly actor?: string;
  readonly action?: string;
  readonly target?: string;
  /** ID of the entry after which the page begins. */
  readonly cursor?: string;
}

/** A page of the audit log, newest first. */
interface AuditPage {
  readonly entries: AuditEntry[];
  /** Cursor of the next page; null on the last one. */
  readonly nextCursor: string | null;
}

/** Adds an entry about a change. Pass the transaction of the change, so that neither is stored without the other. */
export type RecordChange = (sql: Sql, change: AuditedChange) => Promise<void>;

/** The audit log of a service. */
export interface AuditLog {
  /** Returns the function that records the changes of an actor. */
  by(actor: Actor): RecordChange;
  /** Adds an entry if the last one was sealed with an older secret, so that the older secret can be removed. */
  recordRotation(database: Database): Promise<void>;
  /**
   * Deletes the oldest entries, up to a limit, if they are older than a number of days. Returns how many it deleted.
   */
  deleteOld(database: Database, days: number, limit: number): Promise<number>;
  /**
   * Checks the chain of all entries.
   *
   * @param anchor Hash of an entry that must exist.
   */
  verify(database: Database, anchor?: string): Promise<AuditVerification>;
}

/** Opens the audit log of a service with its signing secrets, newest first. */
export function openAuditLog(secrets: readonly string[]): AuditLog {
  const sealer = createAuditSealer(secrets);
  return {
    by: (actor) => (sql, change) => addEntry(sql, sealer, actor, change),
    recordRotation: (database) =>
      database.transaction(async (sql) => {
        await lockChain(sql);
        const [last] = await sql.query<ChainStart>(`select hash, seal from audit_log where id = (${lastChained})`);
        if (last === undefined || (sealer.secretOf('entry', last.hash, last.seal) ?? 0) === 0) return;
        await addEntry(sql, sealer, { name: 'settings' }, { action: 'secret.rotate', target: 'signing_secret' });
      }),
    deleteOld: (database, days, limit) => deleteOldEntries(database, sealer, days, limit),
    verify: (database, anchor) => verifyChain(database, sealer, anchor),
  };
}

/** The ID of the last entry with a hash. */
const lastChained = 'select id from audit_log where hash is not null order by id desc limit 1';

/** Waits until no other transaction adds or deletes entries. Statements after this one see what the others committed. */
async function lockChain(sql: Sql): Promise<void> {
  await sql.query('select pg_advisory_xact_lock($1)', [advisoryLocks.audit]);
}

async function addEntry(sql: Sql, sealer: AuditSealer, { name, requestId }: Actor, change: AuditedChange) {
  const { action, target, changes = {}, reason } = change;
  const values = [name, action, target, JSON.stringify(changes), reason ?? null, requestId ?? null];
  await lockChain(sql);
  const [now] = await sql.query<{ content: string; previous: string }>(
    `select audit_content(now(), $1, $2, $3, $4::text::jsonb, $5, $6) as content,
       coalesce((select hash from audit_log where id = (${lastChained})), (select hash from audit_start), '') as previous`,
    values,
  );
  if (now === undefined) throw new Error('the database did not return the text of an entry');
  const hash = hashOfEntry(now.previous, now.content);
  await sql.query(
    `insert into audit_log (at, actor, action, target, changes, reason, request_id, hash, seal)
     values (now(), $1, $2, $3, $4::text::jsonb, $5, $6, $7, $8)`,
    [...values, hash, sealer.seal('entry', hash)],
  );
}

/** Returns the members whose values differ, each with both values. Absent members count as null. */
export function changedMembers(
  before: Readonly<Record<string, MemberValue>>,
  after: Readonly<Record<string, MemberValue>>,
): Changes {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names.flatMap((name) => {
      const change = { before: before[name] ?? null, after: after[name] ?? null };
      return change.before === change.after ? [] : [[name, change]];
    }),
  );
}

/** Returns the entries that match all given members of a query. */
export async function listAuditEntries(sql: Sql, query: AuditQuery, limit: number): Promise<AuditPage> {
  const { actor = null, action = null, target = null, cursor = null } = query;
  const rows = await sql.query<Omit<AuditEntry, 'at'> & { at: Date }>(
    `select id::text, at, actor, action, target, changes, reason, request_id as "requestId" from audit_log
     where ($1::text is null or actor = $1) and ($2::text is null or action = $2) and ($3::text is null or target = $3)
       and ($4::text is null or id < $4::text::bigint)
     order by audit_log.id desc limit $5`,
    [actor, action, target, cursor, limit + 1],
  );
  const entries = rows.slice(0, limit).map((row) => ({ ...row, at: row.at.toISOString() }));
  return { entries, nextCursor: rows.length > limit ? (entries.at(-1)?.id ?? null) : null };
}

/**
 * Deletes the oldest entries, without gaps: the first entry that is not old enough ends it. The start of the chain moves
 * on only if the deleted part is unaltered, so that retention hides no fault.
 */
async function deleteOldEntries(database: Database, sealer: AuditSealer, days: number, limit: number): Promise<number> {
  const old = `at <= now() - $1::integer * interval '1 day'`;
  const [first] = await database.query(`select 1 from audit_log where ${old} order by at limit 1`, [days]);
  if (first === undefined) return 0;
  return database.transaction(async (sql) => {
    await lockChain(sql);
    const entries = await sql.query<ChainedEntry>(
      `select ${chainColumns} from audit_log where id < coalesce((select min(id) from audit_log where not (${old})), id + 1)
       order by id limit $2`,
      [days, limit],
    );
    const checker = createChainChecker(sealer, await readStart(sql));
    for (const entry of entries) checker.add(entry);
    const { faults, head } = checker.end();
    if (head !== null && faults.every(({ kind }) => kind === 'unsealed')) {
      await sql.query(
        `insert into audit_start (hash, seal) values ($1, $2)
         on conflict (only_row) do update set hash = excluded.hash, seal = excluded.seal`,
        [head, sealer.seal('start', head)],
      );
    }
    // The trigger of the table refuses all other deletions.
    await sql.query(`select set_config('millrace.audit_retention', 'on', true)`);
    await sql.query('delete from audit_log where id = any($1::text[]::bigint[])', [entries.map(({ id }) => id)]);
    return entries.length;
  });
}
