import type { Caller } from '../../contract/caller.ts';

/** What waits for a limit that callers share. Accounts take turns, and so do the callers of an account. */
export interface FairQueue<T> {
  /** Number of waiting items. */
  readonly size: number;
  /** Returns the maximum number of waiting items that have their turn before the next item of a caller. */
  ahead(caller: Caller): number;
  add(caller: Caller, item: T): void;
  /**
   * Removes and returns the item whose turn it is; undefined if nobody can have one now.
   *
   * @param canTake Whether a caller can have its turn. Default: every caller can.
   */
  next(canTake?: (caller: Caller) => boolean): T | undefined;
  /** Removes an item that no longer waits, if it is still there. */
  remove(caller: Caller, item: T): void;
}

/** The waiting items of a caller, oldest first. */
interface Own<T> {
  readonly caller: Caller;
  readonly items: T[];
}

/** Creates an empty queue. Maps keep the order of turns: the caller of the last one is at the end. */
export function createFairQueue<T>(): FairQueue<T> {
  const accounts = new Map<string, Map<string, Own<T>>>();
  let size = 0;

  /** Ends the turn of a caller, and forgets callers without items. */
  function endTurn({ account, key }: Caller): void {
    const callers = accounts.get(account);
    const own = callers?.get(key);
    if (callers === undefined || own === undefined) return;
    callers.delete(key);
    if (own.items.length > 0) callers.set(key, own);
    accounts.delete(account);
    if (callers.size > 0) accounts.set(account, callers);
  }

  return {
    get size() {
      return size;
    },
    ahead({ account, key }) {
      const callers = accounts.get(account);
      const ownTurns = turnsBefore(callers?.get(key)?.items.length ?? 0, callers, key, ({ items }) => items.length);
      return turnsBefore(ownTurns, accounts, account, sizeOf);
    },
    add(caller, item) {
      const { account, key } = caller;
      const callers = accounts.get(account) ?? new Map<string, Own<T>>();
      const own = callers.get(key) ?? { caller, items: [] };
      own.items.push(item);
      callers.set(key, own);
      accounts.set(account, callers);
      size += 1;
    },
    next(canTake = () => true) {
      for (const callers of accounts.values()) {
        for (const { caller, items } of callers.values()) {
          if (!canTake(caller)) continue;
          const item = items.shift();
          size -= 1;
          endTurn(caller);
          return item;
        }
      }
      return undefined;
    },
    remove({ account, key }, item) {
      const callers = accounts.get(account);
      const items = callers?.get(key)?.items ?? [];
      const at = items.indexOf(item);
      if (at === -1) return;
      items.splice(at, 1);
      size -= 1;
      if (items.length === 0) callers?.delete(key);
      if (callers?.size === 0) accounts.delete(account);
    },
  };
}

/** Returns the turns before the one that follows `own` turns: in each round, the others have one, while they last. */
function turnsBefore<V>(
  own: number,
  members: ReadonlyMap<string, V> | undefined,
  name: string,
  turnsOf: (member: V) => number,
): number {
  let turns = own;
  for (const [other, member] of members ?? []) if (other !== name) turns += Math.min(turnsOf(member), own + 1);
  return turns;
}

function sizeOf<T>(callers: ReadonlyMap<string, Own<T>>): number {
  let size = 0;
  for (const { items } of callers.values()) size += items.length;
  return size;
}
