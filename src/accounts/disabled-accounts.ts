import type { Logger } from 'pino';
import { MillraceError } from '../contract/errors.ts';
import type { Sql } from '../database/database.ts';
import { createCoalescingTask } from '../waiting/coalescing-task.ts';
import { type ApiKeyInfo, accountIdOf } from './api-key.ts';
import { accountOf } from './owner.ts';

/** Interval at which a node checks for changes that it was not notified of. */
const POLL_INTERVAL_MS = 10_000;

/** The accounts that the operator has disabled, in the memory of this node, so that each request for a link can check. */
export interface DisabledAccounts {
  /** Whether the account of an owner, such as that of a link, is disabled. */
  isDisabled(owner: string): boolean;
}

/** {@link DisabledAccounts} that follow the database until they are closed. */
interface OpenDisabledAccounts extends DisabledAccounts {
  /** Reads the accounts again. If the database is unavailable, the known ones remain until the next attempt. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/** Reads the disabled accounts. */
export async function openDisabledAccounts(sql: Sql, log: Logger): Promise<OpenDisabledAccounts> {
  let accounts = await readDisabledAccounts(sql);
  // Reads follow each other, so that an older list never replaces a newer one.
  const reads = createCoalescingTask(
    async () => {
      accounts = await readDisabledAccounts(sql);
    },
    (err) => log.warn({ err }, 'the disabled accounts could not be read; that will be retried'),
  );
  const timer = setInterval(reads.request, POLL_INTERVAL_MS).unref();
  return {
    isDisabled: (owner) => accounts.size > 0 && accounts.has(accountOf(owner)),
    async refresh() {
      reads.request();
      await reads.settled();
    },
    async close() {
      clearInterval(timer);
      await reads.settled();
    },
  };
}

/** @throws MillraceError `forbidden` if the account of the owner of a link is disabled. */
export function refuseIfDisabled(accounts: DisabledAccounts, owner: string): void {
  if (!accounts.isDisabled(owner)) return;
  const message =
    'The operator of the service has disabled the key that this link belongs to. Contact the operator, or request a link with another key.';
  throw new MillraceError('forbidden', message);
}

async function readDisabledAccounts(sql: Sql): Promise<ReadonlySet<string>> {
  const rows = await sql.query<Pick<ApiKeyInfo, 'id' | 'kind'>>(
    'select id, kind from api_keys where disabled_at is not null',
  );
  return new Set(rows.map(accountIdOf));
}
