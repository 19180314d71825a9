/** Work that is done for many at once. */
export interface Gatherer<Item> {
  /** Adds an item to the next batch. */
  add(item: Item): void;
  /** Settles when everything that was added is done. */
  close(): Promise<void>;
}

/**
 * The work may take up a fifth of the time. A batch costs the same however many items it has, so shorter pauses cost
 * processor time: with 100 connections, a pause as long as the work made batches of 19, this one of 46.
 */
const PAUSE_FOR_WORK = 4;
/** Nobody waits longer than so many milliseconds for it: longer pauses leave the processor idle between batches. */
const LONGEST_PAUSE_MS = 4;

/**
 * Gathers items, and does the work on all that have come at once: one batch at a time, the first one without delay, and
 * the next ones after a pause that follows from how long the one before took. `work` must not fail: it tells the items
 * how they fared.
 */
export function createGatherer<Item>(work: (items: readonly Item[]) => Promise<void>): Gatherer<Item> {
  let waiting: Item[] = [];
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | NodeJS.Immediate | undefined;
  let next = Number.NEGATIVE_INFINITY;

  const run = () => {
    timer = undefined;
    const items = waiting;
    waiting = [];
    const begun = performance.now();
    running = work(items).finally(() => {
      running = undefined;
      const now = performance.now();
      next = now + Math.min(LONGEST_PAUSE_MS, PAUSE_FOR_WORK * (now - begun));
      schedule();
    });
  };
  const schedule = () => {
    if (waiting.length === 0 || running !== undefined || timer !== undefined) return;
    const wait = next - performance.now();
    timer = wait > 0 ? setTimeout(run, wait) : setImmediate(run);
  };
  return {
    add(item) {
      waiting.push(item);
      schedule();
    },
    async close() {
      while (waiting.length > 0 || running !== undefined) {
        await (running ?? new Promise((resolve) => setImmediate(resolve)));
      }
    },
  };
}
