import type { Caller } from '../../contract/caller.ts';
import { type BreakerRules, maxRequests } from './breaker-rules.ts';

/** Length of the window in milliseconds. Older outcomes do not count. */
const WINDOW_MS = 60_000;
/** Maximum number of callers whose outcomes are remembered. The one whose latest outcome is oldest is dropped first. */
const MAX_CALLERS = 200;

/** Whom failures concern if several accounts have seen them. */
export const everyone = 'everyone';

/** Returns the groups that a caller belongs to: everyone, its account, and the caller itself. */
export function groupsOf({ account, key }: Caller): readonly string[] {
  return account === key ? [everyone, key] : [everyone, account, key];
}

/** The outcomes of the latest requests through a circuit, by caller and by what was requested. */
export interface FailureEvidence {
  /** Adds an outcome, and returns the groups of its caller for which the circuit should open. */
  add(caller: Caller, subject: string, failed: boolean): readonly string[];
  /** Forgets the outcomes of the callers of a group. */
  forget(group: string): void;
  /** The account of all outcomes; undefined if there are several accounts. */
  readonly onlyAccount: string | undefined;
}

/** The outcomes of a caller by subject, oldest first. */
interface Own {
  readonly caller: Caller;
  readonly outcomes: Map<string, { readonly at: number; readonly failed: boolean }>;
  /** Time of the latest outcome. */
  at: number;
}

/** What the members of a group have seen. */
interface Tally {
  readonly count: number;
  /** Portion of the requests that failed. */
  readonly rate: number;
}

/**
 * Creates evidence without any outcome. The failures of a caller open the circuit for that caller only, because anyone
 * can request items that fail. It opens for everyone if at least two accounts see failures and the mean of the accounts'
 * failure rates is high enough; an account supplies at most half of the minimum number of requests. The same applies to
 * the visitors of the page among themselves.
 */
export function createFailureEvidence(rules: BreakerRules, now: () => number): FailureEvidence {
  /** By key, the one whose latest outcome is oldest first. */
  const callers = new Map<string, Own>();

  function dropOld(own: Own): void {
    const start = now() - WINDOW_MS;
    for (const [subject, { at }] of own.outcomes) {
      if (at > start && own.outcomes.size <= maxRequests) break;
      own.outcomes.delete(subject);
    }
    for (const [key, { at }] of callers) {
      if (at > start && callers.size <= MAX_CALLERS) break;
      callers.delete(key);
    }
  }

  function tallyOf({ outcomes }: Own): Tally {
    const recent = [...outcomes.values()].filter(({ at }) => at > now() - WINDOW_MS);
    const failed = recent.filter((outcome) => outcome.failed).length;
    return { count: recent.length, rate: recent.length === 0 ? 0 : failed / recent.length };
  }

  const isFailing = ({ rate }: Tally) => rate * 100 >= rules.failurePercentage;
  const isDown = (tally: Tally) => tally.count >= rules.requests && isFailing(tally);
  const isDownTogether = (members: readonly Tally[]) =>
    members.filter(isFailing).length > 1 && isDown(together(members));

  /** Gives the members of a group the same weight. */
  function together(members: readonly Tally[]): Tally {
    const half = Math.ceil(rules.requests / 2);
    const count = members.reduce((sum, member) => sum + Math.min(member.count, half), 0);
    return { count, rate: members.reduce((sum, { rate }) => sum + rate, 0) / members.length };
  }

  return {
    add(caller, subject, failed) {
      const own = callers.get(caller.key) ?? { caller, outcomes: new Map(), at: 0 };
      callers.delete(caller.key);
      callers.set(caller.key, own);
      // An item that fails for many callers is still one item.
      for (const { outcomes } of callers.values()) outcomes.delete(subject);
      own.at = now();
      own.outcomes.set(subject, { at: own.at, failed });
      dropOld(own);
      if (!failed) return [];
      const accounts = Map.groupBy(callers.values(), (each) => each.caller.account);
      const members = new Map(
        [...accounts].map(([account, each]) => [account, each.map(tallyOf).filter(({ count }) => count > 0)]),
      );
      return groupsOf(caller).filter((group) => {
        if (group === caller.key) return isDown(tallyOf(own));
        return isDownTogether(
          group === everyone
            ? [...members.values()].filter(({ length }) => length > 0).map(together)
            : (members.get(group) ?? []),
        );
      });
    },
    forget(group) {
      for (const [key, { caller }] of callers) if (groupsOf(caller).includes(group)) callers.delete(key);
    },
    get onlyAccount() {
      const [account, ...others] = new Set([...callers.values()].map(({ caller }) => caller.account));
      return others.length === 0 ? account : undefined;
    },
  };
}
