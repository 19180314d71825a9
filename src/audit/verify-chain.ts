import type { Database, Sql } from '../database/database.ts';
import {
  type AuditSealer,
  type ChainedEntry,
  type ChainFault,
  type ChainStart,
  createChainChecker,
} from './audit-chain.ts';

/** What a check of the audit log found. */
export interface AuditVerification {
  /** Number of entries, and how many of them are from versions that did not chain them. */
  readonly entries: number;
  readonly unprotected: number;
  /** The first {@link MAX_FAULTS} faults. */
  readonly faults: readonly ChainFault[];
  /** Hash of the last entry; null if no entry has one. */
  readonly head: string | null;
}

/** Columns of a {@link ChainedEntry}. */
export const chainColumns = `id::text, hash, seal,
  audit_content(at, actor, action, target, changes, reason, request_id) as content`;

/** Entries of one statement. In the embedded engine, every other query waits for it. */
const PAGE = 500;
/** The lowest ID that the column can have, although the service counts from 1. */
const FIRST_ID = '-9223372036854775808';

/** Returns where the chain begins if older entries were deleted. */
export async function readStart(sql: Sql): Promise<ChainStart | undefined> {
  const [start] = await sql.query<ChainStart>('select hash, seal from audit_start');
  return start;
}

/**
 * Checks all entries. Entries that are added meanwhile may be checked, too; if the sweeper deletes old ones meanwhile,
 * the check begins again.
 */
export async function verifyChain(
  database: Database,
  sealer: AuditSealer,
  anchor: string | undefined,
): Promise<AuditVerification> {
  for (let attempt = 0; ; attempt += 1) {
    const start = await readStart(database);
    const found = await checkEntries(database, createChainChecker(sealer, start, anchor));
    if (attempt > 1 || (await readStart(database))?.hash === start?.hash) return found;
  }
}

async function checkEntries(sql: Sql, checker: ReturnType<typeof createChainChecker>): Promise<AuditVerification> {
  let entries = 0;
  for (let cursor = FIRST_ID; ; ) {
    const page = await sql.query<ChainedEntry>(
      `select ${chainColumns} from audit_log where id >= $1::text::bigint order by audit_log.id limit ${PAGE}`,
      [cursor],
    );
    for (const entry of page) checker.add(entry);
    entries += page.length;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) break;
    cursor = String(BigInt(last.id) + 1n);
  }
  return { entries, ...checker.end() };
}
