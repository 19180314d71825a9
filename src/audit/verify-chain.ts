import type { Database, Sql } from '../database/database.ts';
import { type AuditSealer, type ChainFault, createChainChecker } from './audit-chain.ts';
import { readStart } from './chain-start.ts';
import { readEntries } from './stored-entries.ts';

/** What a check of the audit log found. */
export interface AuditVerification {
  /** Number of entries. */
  readonly entries: number;
  /** How many of them earlier versions wrote before the chain began. */
  readonly adopted: number;
  /** How many of them are not chained. */
  readonly unchained: number;
  /** When the chain began (ISO 8601); null if no record says it. */
  readonly since: string | null;
  /** The first {@link MAX_FAULTS} faults. */
  readonly faults: readonly ChainFault[];
  /** Hash of the last entry; null if no entry has one. */
  readonly head: string | null;
}

/** Entries of one statement. In the embedded engine, every other query waits for it. */
const PAGE = 500;

/**
 * Checks all entries except those that are added meanwhile. If the sweeper deletes old ones meanwhile, the check begins
 * again.
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
  for (let cursor: string | undefined; ; ) {
    const page = await readEntries(sql, cursor === undefined ? {} : { cursor }, PAGE);
    for (const entry of page) checker.add(entry);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return checker.end();
    cursor = last.id;
  }
}
