import type { Caller } from '../contract/caller.ts';
import { dropOldest } from './drop-oldest.ts';

/** How long a refusal counts, and how long a caller is active after a fetch, in milliseconds. */
const REFUSAL_MS = 3_600_000;
const ACTIVE_MS = 600_000;
/** Maximum number of callers that are remembered. The one whose latest fetch is oldest is forgotten first. */
const MAX_CALLERS = 500;
/** Maximum number of refusals of a caller that are remembered. */
const MAX_REFUSALS = 100;
/** Of so many refusals of the only caller of a profile, one counts while others use other profiles. */
const REFUSALS_PER_COUNTED = 4;

/** The active callers of all profiles. */
export interface ActiveCallers {
  note(caller: Caller): void;
  /** Whether no other caller is active, or no other account. */
  isOnly(caller: Caller, by: keyof Caller): boolean;
}

/** The callers of the media of one profile through one exit. */
export interface Witnesses {
  /** Notes a fetch that was not refused. */
  note(caller: Caller): void;
  /** Returns whether a refusal counts as evidence against the profile. */
  admits(caller: Caller): boolean;
}

/** Creates the active callers of a process that has fetched nothing yet. */
export function createActiveCallers(): ActiveCallers {
  const members = { account: createMembers(), key: createMembers() };
  return {
    note({ account, key }) {
      members.account.note(account);
      members.key.note(key);
    },
    isOnly: (caller, by) => members[by].isOnly(caller[by]),
  };
}

/**
 * Creates the witnesses of a profile. Anyone can request items whose media is refused, so a caller's refusals count only
 * while they do not outnumber those of all others by more than one. If a caller is the only one that uses the profile,
 * one of four refusals counts, and each if it is the only one that uses the service. Among each other, accounts count in
 * this way, and so do the visitors of the page.
 *
 * @param active The callers of all profiles.
 */
export function createWitnesses(active: ActiveCallers): Witnesses {
  const members = { account: createMembers(), key: createMembers() };

  function note({ account, key }: Caller): void {
    members.account.note(account);
    if (key !== account) members.key.note(key);
  }

  return {
    note,
    admits(caller) {
      note(caller);
      const groups = caller.key === caller.account ? (['account'] as const) : (['key', 'account'] as const);
      return groups.every((by) => members[by].admits(caller[by], active.isOnly(caller, by)));
    },
  };
}

interface Member {
  /** Time of the latest fetch. */
  readonly at: number;
  /** Times of the refusals that count. */
  readonly refusals: readonly number[];
  /** Refusals while no other member used the profile. */
  readonly alone: number;
}

/** Creates a group of callers, or of accounts, that check each other. */
function createMembers() {
  /** The one whose latest fetch is oldest first. */
  const members = new Map<string, Member>();

  function set(name: string, change: Partial<Member>): void {
    const member = { ...(members.get(name) ?? { refusals: [], alone: 0 }), ...change, at: Date.now() };
    members.delete(name);
    members.set(name, member);
    dropOldest(members, MAX_CALLERS);
  }

  /** Returns the members that have fetched within a time, except one. */
  const othersThan = (name: string, milliseconds: number) =>
    [...members].flatMap(([other, { at }]) => (other !== name && at > Date.now() - milliseconds ? [other] : []));
  const refusalsOf = (name: string) =>
    (members.get(name)?.refusals ?? []).filter((at) => at > Date.now() - REFUSAL_MS).slice(-MAX_REFUSALS);

  return {
    note: (name: string) => set(name, {}),
    isOnly: (name: string) => othersThan(name, ACTIVE_MS).length === 0,
    /** Returns whether a refusal of a member counts. `isServiceIdle`: whether nobody else uses other profiles. */
    admits(name: string, isServiceIdle: boolean): boolean {
      const own = refusalsOf(name);
      const isAlone = othersThan(name, ACTIVE_MS).length === 0;
      const alone = isAlone ? (members.get(name)?.alone ?? 0) + 1 : 0;
      const ofOthers = othersThan(name, REFUSAL_MS).reduce((sum, other) => sum + refusalsOf(other).length, 0);
      const isAdmitted = isAlone ? isServiceIdle || alone % REFUSALS_PER_COUNTED === 0 : own.length <= ofOthers;
      set(name, { alone, refusals: isAdmitted ? [...own, Date.now()] : own });
      return isAdmitted;
    },
  };
}
