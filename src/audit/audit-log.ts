import type { AuditAction, AuditEntry, Changes, MemberValue } from '../contract/admin-api/audit-entry.ts';
import type { Database, Sql } from '../database/database.ts';

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

/** Adds an entry to the audit log. Pass the transaction of the change, so that neither is stored without the other. */
export async function audit(sql: Sql, { name, requestId }: Actor, change: AuditedChange): Promise<void> {
  const { action, target, changes = {}, reason } = change;
  await sql.query(
    `insert into audit_log (actor, action, target, changes, reason, request_id)
     values ($1, $2, $3, $4::text::jsonb, $5, $6)`,
    [name, action, target, JSON.stringify(changes), reason ?? null, requestId ?? null],
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
 * Deletes the oldest entries, up to a limit, if they are older than a number of days. Returns how many it deleted.
 */
export async function deleteOldAuditEntries(database: Database, days: number, limit: number): Promise<number> {
  const old = `select id from audit_log where at <= now() - $1::integer * interval '1 day' order by at limit $2`;
  const [first] = await database.query(old, [days, 1]);
  if (first === undefined) return 0;
  return database.transaction(async (sql) => {
    // The trigger of the table refuses all other deletions.
    await sql.query(`select set_config('millrace.audit_retention', 'on', true)`);
    const deleted = await sql.query(`delete from audit_log where id in (${old} for update skip locked) returning 1`, [
      days,
      limit,
    ]);
    return deleted.length;
  });
}
