/** Processes items in batches. */
interface Batcher<Item> {
  /** Adds an item to the next batch. */
  add(item: Item): void;
  /** Resolves when everything that was added has been processed. */
  close(): Promise<void>;
}

/**
 * Longest pause between two batches, in milliseconds. With 100 connections, longer pauses (four times the duration of
 * the previous batch) did not reduce the processor time of a request, and left a quarter of a core idle (measured
 * 2026-11-23).
 */
const MAX_PAUSE_MS = 4;

/**
 * Creates a batcher. It processes one batch at a time: the first one without delay, and each further one after a pause
 * as long as the previous batch took. So it is busy for at most half of the time.
 *
 * @param process Must not fail: it settles the items itself.
 */
export function createBatcher<Item>(process: (items: readonly Item[]) => Promise<void>): Batcher<Item> {
  let pending: Item[] = [];
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | NodeJS.Immediate | undefined;
  let next = Number.NEGATIVE_INFINITY;

  const run = () => {
    timer = undefined;
    const items = pending;
    pending = [];
    const startedAt = performance.now();
    running = process(items).finally(() => {
      running = undefined;
      const now = performance.now();
      next = now + Math.min(MAX_PAUSE_MS, now - startedAt);
      schedule();
    });
  };
  const schedule = () => {
    if (pending.length === 0 || running !== undefined || timer !== undefined) return;
    const wait = next - performance.now();
    timer = wait > 0 ? setTimeout(run, wait) : setImmediate(run);
  };
  return {
    add(item) {
      pending.push(item);
      schedule();
    },
    async close() {
      while (pending.length > 0 || running !== undefined) {
        await (running ?? new Promise((resolve) => setImmediate(resolve)));
      }
    },
  };
}
