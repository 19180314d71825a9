import type { Logger } from 'pino';
import { createBatcher } from '../accounts/batcher.ts';
import type { ConcurrencyLeases, LeaseRequest } from '../accounts/concurrency-leases.ts';
import { MillraceError } from '../contract/errors.ts';

const RENEW_INTERVAL_MS = 1_000;
/** How long a connection waits for a lease: the relay must not become as slow as an overloaded database. */
const LEASE_TIMEOUT_MS = 500;

/** Limits the open connections of each account. */
export interface ConnectionLimit {
  /**
   * Counts a connection, and returns the function that releases it.
   *
   * @throws MillraceError `rate_limited` if the account has too many.
   */
  acquire(owner: string): Promise<() => void>;
  close(): Promise<void>;
}

/** An account on this node. */
interface OwnerState {
  /** Open connections, including those that wait for a lease. */
  open: number;
  waiting: number;
  /** Leases of this node as the other nodes see them: open connections, and those closed since the last renewal. */
  leaseCount: number;
}

interface Waiter {
  readonly owner: string;
  readonly state: OwnerState;
  readonly outcome: PromiseWithResolvers<() => void>;
}

/** How nodes share a limit. */
interface SharedLimit {
  readonly leases: ConcurrencyLeases;
  readonly log: Logger;
  /** Milliseconds that a connection waits for a lease; default 500. */
  readonly timeout?: number;
}

/**
 * Creates the limit of concurrent connections for each account, on this node, or on all nodes that share leases. A node
 * without a free lease requests more, in one batch for all waiting connections. Leases of closed connections are
 * reused, and unused ones are released once a second. While the database does not respond, each node enforces the limit
 * locally.
 */
export function createConnectionLimit(limit: number, sharedLimit?: SharedLimit): ConnectionLimit {
  const states = new Map<string, OwnerState>();
  let countsLocally = sharedLimit === undefined;
  const batcher = createBatcher<Waiter | 'renewal'>(serve);
  const timer = setInterval(() => {
    if (sharedLimit !== undefined && (countsLocally || states.size > 0)) batcher.add('renewal');
  }, RENEW_INTERVAL_MS);
  timer.unref();

  function open(owner: string, state: OwnerState): () => void {
    state.open += 1;
    return () => {
      state.open -= 1;
      removeIfIdle(owner, state);
    };
  }

  function removeIfIdle(owner: string, { open, waiting, leaseCount }: OwnerState): void {
    if (open + waiting === 0 && (countsLocally || leaseCount === 0)) states.delete(owner);
  }

  async function serve(items: readonly (Waiter | 'renewal')[]): Promise<void> {
    if (sharedLimit === undefined) return;
    const { leases, log, timeout = LEASE_TIMEOUT_MS } = sharedLimit;
    const waiters = items.filter((item) => item !== 'renewal');
    const settle = (hasLease: (state: OwnerState) => boolean) => {
      for (const { owner, state, outcome } of waiters.splice(0)) {
        state.waiting -= 1;
        if (hasLease(state)) outcome.resolve(open(owner, state));
        else outcome.reject(tooMany(limit));
      }
    };
    const countLocally = (error: unknown) => {
      if (!countsLocally) log.warn({ err: error }, 'relay connections are counted on each node separately for now');
      countsLocally = true;
      settle(() => true);
    };
    const owners = new Set(items.includes('renewal') ? states.keys() : waiters.map(({ owner }) => owner));
    const timer = setTimeout(() => countLocally(new Error('the database does not respond')), timeout);
    try {
      const leaseCounts = await leases.renew([...owners].flatMap(leaseRequest));
      if (countsLocally) log.info('relay connections are counted on all nodes together again');
      countsLocally = false;
      for (const owner of owners) {
        const state = states.get(owner);
        if (state !== undefined) state.leaseCount = leaseCounts.get(owner) ?? 0;
      }
      settle(({ open, leaseCount }) => open < leaseCount);
    } catch (error) {
      countLocally(error);
    } finally {
      clearTimeout(timer);
    }
    for (const [owner, state] of states) removeIfIdle(owner, state);
  }

  /**
   * Returns the lease request of an account. It gives up unused leases first, so that no connection uses them while the
   * request is running.
   */
  function leaseRequest(owner: string): LeaseRequest[] {
    const state = states.get(owner);
    if (state === undefined) return [];
    state.leaseCount = state.open;
    return [{ owner, held: state.open, requested: state.waiting }];
  }

  return {
    async acquire(owner) {
      const state = states.get(owner) ?? { open: 0, waiting: 0, leaseCount: 0 };
      const inUse = state.open + state.waiting;
      if (inUse >= limit) throw tooMany(limit);
      states.set(owner, state);
      if (countsLocally || inUse < state.leaseCount) return open(owner, state);
      state.waiting += 1;
      const outcome = Promise.withResolvers<() => void>();
      batcher.add({ owner, state, outcome });
      return outcome.promise;
    },
    async close() {
      clearInterval(timer);
      await batcher.close();
      await sharedLimit?.leases.release().catch((error: unknown) => {
        sharedLimit.log.warn({ err: error }, 'relay connection leases are released only when they expire');
      });
    },
  };
}

function tooMany(limit: number): MillraceError {
  const message = `Your key or network already has the maximum of ${limit} open relay connections. Close one and try again.`;
  return new MillraceError('rate_limited', message);
}
