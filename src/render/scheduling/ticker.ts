/** A ticker that repeats work in parts. */
export interface Ticker {
  /** Starts no further part. */
  stop(): void;
}

/**
 * Repeats work in parts, spread evenly over a period, period after period. Parts follow a fixed timetable, so they do not
 * drift. A late part runs at once; periods that would begin before the one ahead of them is over are skipped.
 *
 * @param periodMs Milliseconds of a period.
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

  /** When the next part is to run: a step after the one before it. */
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
