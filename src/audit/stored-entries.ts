import type { AuditEntry } from '../contract/admin-api/audit-entry.ts';
import type { Sql } from '../database/database.ts';
import type { StoredEntry } from './audit-chain.ts';

/** Which entries to read. */
export interface AuditQuery {
  readonly actor?: string;
  readonly action?: string;
  readonly target?: string;
  /** Only entries with lower IDs. */
  readonly cursor?: string;
}

/**
 * Reads entries that match all given members of a query, newest first. The log is listed and verified with this one
 * statement, so that a view or a policy in the database cannot show a verification other entries than it lists.
 */
export async function readEntries(sql: Sql, query: AuditQuery, limit: number): Promise<StoredEntry[]> {
  const { actor = null, action = null, target = null, cursor = null } = query;
  const rows = await sql.query<Omit<StoredEntry, 'at'> & { at: unknown }>(
    // Qualified, because the search path could put other types and operators before those of PostgreSQL.
    `select id::pg_catalog.text, at, actor, action, target, changes, reason, request_id as "requestId", hash, seal
     from audit_log
     where ($1::pg_catalog.text is null or actor operator(pg_catalog.=) $1::pg_catalog.text)
       and ($2::pg_catalog.text is null or action operator(pg_catalog.=) $2::pg_catalog.text)
       and ($3::pg_catalog.text is null or target operator(pg_catalog.=) $3::pg_catalog.text)
       and ($4::pg_catalog.text is null or id operator(pg_catalog.<) $4::pg_catalog.text::pg_catalog.int8)
     order by audit_log.id desc limit $5`,
    [actor, action, target, cursor, limit],
  );
  return rows.map((row) => ({ ...row, at: timeText(row.at) }));
}

/** Returns the values of an entry that are listed. */
export function listedEntry({ hash: _, seal: __, ...entry }: StoredEntry): AuditEntry {
  return entry;
}

/** The service writes no time like `infinity`, but somebody else may have. */
function timeText(at: unknown): string {
  return at instanceof Date && !Number.isNaN(at.getTime()) ? at.toISOString() : String(at);
}
