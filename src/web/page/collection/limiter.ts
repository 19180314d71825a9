/** Runs an action as soon as its turn comes. Rejects with the signal's reason if it aborts before. */
export type Limiter = <Result>(action: () => Promise<Result>, signal: AbortSignal) => Promise<Result>;

/** Creates a limiter, which runs at most this many actions at a time, in order. */
export function createLimiter(maximum: number): Limiter {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (action, signal) => {
    if (running >= maximum) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      signal.throwIfAborted();
      return await action();
    } finally {
      const next = waiting.shift();
      // The place passes to the next action.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
