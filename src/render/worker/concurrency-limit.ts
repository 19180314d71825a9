/** Runs a limited number of calls concurrently; the others wait in order. */
interface ConcurrencyLimit {
  /**
   * Runs the work when a slot is free.
   *
   * @throws The error of the work; the signal's reason while it waits for a slot.
   */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** Creates a limit of `count` concurrent calls. */
export function createConcurrencyLimit(count: number): ConcurrencyLimit {
  const waiting = new Set<PromiseWithResolvers<void>>();
  let free = count;

  async function enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return;
    }
    const turn = Promise.withResolvers<void>();
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

  function exit(): void {
    const [next] = waiting;
    if (next === undefined) {
      free += 1;
      return;
    }
    waiting.delete(next);
    next.resolve();
  }

  return {
    async run(work, signal) {
      await enter(signal);
      try {
        return await work();
      } finally {
        exit();
      }
    },
  };
}
