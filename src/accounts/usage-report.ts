import type { UsageReport } from '../contract/usage.ts';
import type { KeyHolder } from './authenticate.ts';
import { monthOf, nextMonth } from './billing-month.ts';
import type { Usage } from './usage.ts';

/** What the account of a caller has at the moment. */
interface CurrentUse {
  readonly unfinishedJobs: number;
  /** Bytes of finished files. */
  readonly storedBytes: number;
}

/** Reports the usage of a caller's account in the month of a time. */
export async function reportUsage(
  usage: Pick<Usage, 'ofAccount'>,
  { account, kind }: KeyHolder,
  { unfinishedJobs, storedBytes }: CurrentUse,
  now: Date,
): Promise<UsageReport> {
  const { name, credits, requestsPerSecond, startsPerSecond, jobsAtOnce, storedSize } = account.plan;
  const month = monthOf(now);
  const current = (await usage.ofAccount(account.id)).find((each) => each.month === month);
  const used = current?.credits ?? 0;
  const isRender = kind === 'render';
  return {
    keyKind: kind,
    plan: name,
    month,
    resetsAt: nextMonth(now).toISOString(),
    requests: current?.requests ?? 0,
    credits: isRender
      ? null
      : { used, limit: credits, remaining: Math.max(0, credits - used), spendWarning: account.spendWarning ?? null },
    rates: {
      requestsPerSecond: isRender ? null : requestsPerSecond,
      startsPerSecond: isRender ? startsPerSecond : null,
      jobsAtOnce: isRender || account.test ? jobsAtOnce : null,
    },
    unfinishedJobs,
    storedFiles: { bytes: storedBytes, limit: storedSize },
  };
}
