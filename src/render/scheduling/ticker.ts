/** Repeats work in parts. */
export interface Ticker {
  /** Prevents further parts from starting. */
  stop(): void;
}

/**
 * Repeats work in parts, evenly spread over a period, period after period. Parts follow a fixed schedule, so they do
 * not drift. A late part runs immediately; periods that would start before the previous one has ended are skipped.
 *
 * @param periodMs Length of a period in milliseconds.
 * @param work Does a part, 0 to `parts` - 1. Never rejects.
 */
export function startTicker(periodMs: number, parts: number, work: (part: number) => Promise<void>): Ticker {
  const startedAt = performance.now();
  const step = periodMs / parts;
  let count = 0;
  let stopped = false;
  let timer = setTimeout(run, step);

  async function run(): Promise<void> {
    await work(count % parts);
    count += 1;
    const late = Math.max(0, performance.now() - nextAt());
    count += parts * Math.floor(late / periodMs);
    if (!stopped) timer = setTimeout(run, Math.max(0, nextAt() - performance.now()));
  }

  /** Returns the time of the next part: one step after the previous one. */
  function nextAt(): number {
    return startedAt + step * (count + 1);
  }

  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
