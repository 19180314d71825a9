/** Runs a limited number of calls concurrently; the others wait in order. */
export interface ConcurrencyLimit {
  /**
   * Waits for a slot. Returns the function that frees it.
   *
   * @param owner Whom the slot is for, if the slots of an owner are limited.
   * @throws The signal's reason while it waits.
   */
  acquire(signal: AbortSignal, owner?: string): Promise<() => void>;
  /**
   * Runs the work when a slot is free.
   *
   * @param owner Whom the work is for, if the slots of an owner are limited.
   * @throws The error of the work; the signal's reason while it waits for a slot.
   */
  run<T>(work: () => Promise<T>, signal: AbortSignal, owner?: string): Promise<T>;
}

/** A call that waits. */
interface Turn extends PromiseWithResolvers<void> {
  readonly owner: string;
}

/** Creates a limit of `count` concurrent calls, of which at most `perOwner` are for the same owner. */
export function createConcurrencyLimit(count: number, perOwner = count): ConcurrencyLimit {
  const waiting = new Set<Turn>();
  /** Number of calls for each owner. */
  const running = new Map<string, number>();
  let free = count;

  const runningFor = (owner: string) => running.get(owner) ?? 0;
  const canRun = (owner: string) => free > 0 && runningFor(owner) < perOwner;

  function begin(owner: string): void {
    free -= 1;
    running.set(owner, runningFor(owner) + 1);
  }

  async function enter(signal: AbortSignal, owner: string): Promise<void> {
    signal.throwIfAborted();
    if (canRun(owner)) {
      begin(owner);
      return;
    }
    const turn = { ...Promise.withResolvers<void>(), owner };
    const leave = () => {
      if (waiting.delete(turn)) turn.reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    waiting.add(turn);
    try {
      await turn.promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  function exit(owner: string): void {
    free += 1;
    const own = runningFor(owner) - 1;
    if (own === 0) running.delete(owner);
    else running.set(owner, own);
    const next = waiting.values().find((turn) => canRun(turn.owner));
    if (next === undefined) return;
    waiting.delete(next);
    begin(next.owner);
    next.resolve();
  }

  async function acquire(signal: AbortSignal, owner = ''): Promise<() => void> {
    await enter(signal, owner);
    return () => exit(owner);
  }

  return {
    acquire,
    async run(work, signal, owner) {
      const leave = await acquire(signal, owner);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
