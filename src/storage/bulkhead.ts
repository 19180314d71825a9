import { withTimeout } from '../waiting/with-timeout.ts';

/**
 * Runs calls that cannot be cancelled, such as file system calls, with limited concurrency and a timeout each. A call
 * that exceeds its timeout is abandoned, but keeps its slot until it returns. While all slots are lost in this way,
 * further calls fail immediately, so that a hanging system uses up no more threads or memory.
 *
 * @param onLateResult Receives the result of an abandoned call, to release its resources.
 * @throws The error of the call; an Error if it takes too long, or if all slots are lost.
 */
export type Bulkhead = <T>(call: () => Promise<T>, onLateResult?: (result: T) => void) => Promise<T>;

let hanging = 0;

/** Returns the number of abandoned calls in this process that have not returned. Each holds a thread. */
export function hangingCalls(): number {
  return hanging;
}

/** The limits of a bulkhead. */
export interface BulkheadLimits {
  /** Maximum concurrent calls. */
  readonly maxCalls: number;
  /** Timeout of a call in milliseconds, once it has a slot. */
  readonly timeout: number;
}

/**
 * Creates a bulkhead. The wait for a slot is not limited here.
 *
 * @param name Name of the called system in messages.
 */
export function createBulkhead(name: string, { maxCalls, timeout }: BulkheadLimits): Bulkhead {
  const waiting: PromiseWithResolvers<void>[] = [];
  let usedSlots = 0;
  let lostSlots = 0;
  const unresponsive = () => new Error(`${name} does not respond: ${maxCalls} calls have not returned yet`);

  async function acquireSlot(): Promise<void> {
    if (lostSlots === maxCalls) throw unresponsive();
    if (usedSlots === maxCalls) {
      const turn = Promise.withResolvers<void>();
      waiting.push(turn);
      return await turn.promise;
    }
    usedSlots += 1;
  }
  function releaseSlot(): void {
    const next = waiting.shift();
    if (next === undefined) usedSlots -= 1;
    else next.resolve();
  }
  function loseSlot(): void {
    lostSlots += 1;
    hanging += 1;
    if (lostSlots === maxCalls) for (const turn of waiting.splice(0)) turn.reject(unresponsive());
  }

  return async (call, onLateResult) => {
    await acquireSlot();
    let state: 'running' | 'given up' | 'returned' = 'running';
    const result = call();
    const end = () => {
      if (state === 'given up') {
        lostSlots -= 1;
        hanging -= 1;
      }
      state = 'returned';
      releaseSlot();
    };
    result.then(end, end);
    try {
      return await withTimeout(result, timeout);
    } catch (error) {
      if (state === 'running') {
        state = 'given up';
        loseSlot();
        result.then(onLateResult, () => undefined);
      }
      throw error;
    }
  };
}
