import type { Logger } from 'pino';
import type { Sql } from '../database/database.ts';
import { monthOf } from './billing-month.ts';
import type { SpendWarningMetrics } from './metrics-port.ts';

/** Interval of the checks, on each node. */
const CHECK_INTERVAL_MS = 30_000;

/** An account that has passed its spend warning in a month. */
interface PassedWarning {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly spendWarning: number;
  readonly credits: number;
}

/**
 * Marks the keys whose accounts have passed their spend warning since the last call on any node, and returns them. The
 * row of a key is locked while it is marked, so one node returns it. Credits that are only reserved do not count.
 */
export async function takePassedWarnings(sql: Sql, month: string): Promise<readonly PassedWarning[]> {
  return await sql.query<PassedWarning>(
    `update api_keys k set spend_warned_month = $1
     from account_usage u
     where k.spend_warning is not null and k.ended_at is null and k.spend_warned_month is distinct from $1
       and u.account = k.kind || ':' || k.id and u.month = $1
       and u.spent - coalesce((
         select sum(h.credits) from credit_holds h where h.account = u.account and h.month = u.month
       ), 0) >= k.spend_warning
     returning k.id, k.name, k.plan, k.spend_warning as "spendWarning", u.spent as credits`,
    [month],
  );
}

/** Watches the usage of accounts, apart from requests, and logs each passed spend warning once a month until closed. */
export function startSpendWarnings(sql: Sql, log: Logger, metrics: SpendWarningMetrics): { close(): Promise<void> } {
  let checking = Promise.resolve();
  const check = async () => {
    const month = monthOf(new Date());
    for (const { id, ...facts } of await takePassedWarnings(sql, month)) {
      metrics.spendWarningPassed();
      log.warn({ key: id, month, ...facts }, 'an account has passed its spend warning');
    }
  };
  const timer = setInterval(() => {
    checking = check().catch((err: unknown) =>
      log.warn({ err }, 'spend warnings could not be checked; that will be retried'),
    );
  }, CHECK_INTERVAL_MS);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await checking;
    },
  };
}
