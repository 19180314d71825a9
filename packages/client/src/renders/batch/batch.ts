import { type BatchWait, createCapacityGate } from './capacity-gate.ts';
import type { ItemChange, ItemReport } from './item-report.ts';
import type { ItemSource } from './item-source.ts';
import { createReportQueue } from './report-queue.ts';
import type { ItemControl, ItemOutcome } from './run-item.ts';

/** Numbers of the items of a batch. */
export interface BatchCounts {
  /** All items; undefined until the source of the items has ended. */
  readonly total: number | undefined;
  /** Items that have not started yet, as far as they are known, and those that wait for a busy service. */
  readonly waiting: number;
  readonly running: number;
  readonly done: number;
  readonly failed: number;
  readonly stopped: number;
}

/**
 * Many renders. Iterating over it returns the reports of its items; a reader that is slower than the renders gets the
 * latest report of each item. The iteration ends when no item is waiting or running. Leaving it early stops the batch.
 */
export interface RenderBatch<Item> extends AsyncIterable<ItemReport<Item>> {
  /**
   * Adds items after all others. If the iteration has ended, iterate again. A stopped batch does not run them, but
   * {@link remaining} includes them.
   */
  add(items: Iterable<Item>): void;
  /** Starts no further items. Those that are running continue; those that wait for a busy service do not. */
  pause(): void;
  /** Ends a pause. */
  resume(): void;
  /**
   * Ends the batch, and reports the unfinished items that it has read as `stopped`. Their jobs continue, unless
   * `cancel` is set.
   */
  stop(options?: { readonly cancel?: boolean }): void;
  /** Runs the failed items again, before those that are waiting. If the iteration has ended, iterate again. */
  retryFailed(): void;
  readonly counts: BatchCounts;
  /** Why and until when the items wait, while the service is busy or the device is offline. */
  readonly wait: BatchWait | undefined;
  /**
   * Returns the items without a file, for a new batch. If the items come from an array or were added, it
   * includes those that have not been read. Otherwise, continue the source after the last item that it has returned.
   */
  remaining(): readonly Item[];
}

/** What a batch consists of. */
interface BatchSettings<Item> {
  readonly source: ItemSource<Item>;
  readonly concurrency: number;
  /** Maximum total wait of an item for a busy service, in milliseconds. */
  readonly maxWait: number;
  /** Signals that end the batch. */
  readonly signals: readonly AbortSignal[];
  readonly onReport: ((report: ItemReport<Item>) => void) | undefined;
  /** Renders an item. It must not throw. */
  readonly run: (item: Item, control: ItemControl, onChange: (change: ItemChange) => void) => Promise<ItemOutcome>;
}

/** An item that the batch has read. */
interface Entry<Item> {
  readonly item: Item;
  readonly index: number;
}

/** Maximum number of items whose reports have not been read. */
const MAX_UNREAD = 1_000;

/** Starts a batch. */
export function startBatch<Item>(settings: BatchSettings<Item>): RenderBatch<Item> {
  const { source, concurrency, maxWait, signals } = settings;
  const stopping = new AbortController();
  const waiting: Entry<Item>[] = [];
  const running = new Set<Entry<Item>>();
  /** The running items that wait for a busy service. */
  const held = new Set<Entry<Item>>();
  const failed: Entry<Item>[] = [];
  const stopped: Entry<Item>[] = [];
  let taken = 0;
  let done = 0;
  let readers = 0;
  let isPaused = false;
  let isTaking = false;
  let cancelsJobs = false;
  /** Why the batch has ended early: the failure of the source, or the reason of a signal. */
  let failure: { readonly reason: unknown } | undefined;
  const reports = createReportQueue<ItemReport<Item>>(MAX_UNREAD, () => readers > 0);
  let wakeReaders: () => void;
  let change: Promise<void>;

  const gate = createCapacityGate(maxWait, async () => {
    while (isPaused && !isStopped()) await change;
  });
  const control: ItemControl = {
    gate,
    signal: stopping.signal,
    get cancelsJobs() {
      return cancelsJobs;
    },
  };
  const isStopped = () => stopping.signal.aborted;
  const hasItems = () => waiting.length > 0 || isTaking || !source.isExhausted;
  const isIdle = () => running.size === 0 && (isStopped() || !hasItems());

  function expectChange(): void {
    // Promise.withResolvers is missing in Node 20.
    change = new Promise((resolve) => {
      wakeReaders = resolve;
    });
  }

  /** Wakes the readers after a change. */
  function notify(): void {
    wakeReaders();
    expectChange();
    if (isIdle()) for (const signal of signals) signal.removeEventListener('abort', onAbort);
  }

  function report({ item, index }: Entry<Item>, facts: Omit<ItemReport<Item>, 'item' | 'index'>): void {
    const itemReport = { item, index, ...facts };
    reports.push(itemReport);
    settings.onReport?.(itemReport);
    notify();
  }

  async function run(entry: Entry<Item>): Promise<void> {
    running.add(entry);
    report(entry, { state: 'preparing' });
    const outcome = await settings.run(entry.item, control, (change) => {
      if (change.state === 'waiting') held.add(entry);
      else held.delete(entry);
      report(entry, change);
    });
    running.delete(entry);
    held.delete(entry);
    if (outcome.state === 'done') done += 1;
    else (outcome.state === 'failed' ? failed : stopped).push(entry);
    report(entry, outcome);
    startItems();
  }

  /** Returns the next item to start. */
  async function take(): Promise<Entry<Item> | undefined> {
    const retried = waiting.shift();
    if (retried !== undefined) return retried;
    const next = await source.take();
    if (next === undefined) return undefined;
    taken += 1;
    return { item: next.item, index: taken - 1 };
  }

  const canStart = () =>
    !isPaused &&
    !isStopped() &&
    running.size < concurrency &&
    !reports.isFull &&
    (waiting.length > 0 || !source.isExhausted);

  /** Starts items until as many run as may. The items are taken one after the other. */
  function startItems(): void {
    if (isTaking) return;
    watchSignals();
    isTaking = true;
    takeItems().catch(endWith);
  }

  async function takeItems(): Promise<void> {
    try {
      while (canStart()) {
        const entry = await take();
        if (entry !== undefined && isStopped()) waiting.push(entry);
        else if (entry !== undefined) run(entry).catch(endWith);
      }
    } catch (reason) {
      failure ??= { reason };
      source.close();
    }
    isTaking = false;
    if (isStopped()) stopWaiting();
    notify();
  }

  function watchSignals(): void {
    for (const signal of signals) {
      signal.addEventListener('abort', onAbort);
      if (signal.aborted) endWith(signal.reason);
    }
  }

  function onAbort({ target }: Event): void {
    endWith((target as AbortSignal).reason);
  }

  function endWith(reason: unknown): void {
    failure ??= { reason };
    stop();
  }

  function stop(options: { readonly cancel?: boolean } = {}): void {
    if (isStopped()) return;
    cancelsJobs = options.cancel === true;
    stopping.abort(new DOMException('The batch has been stopped.', 'AbortError'));
    source.close();
    stopWaiting();
    notify();
  }

  function stopWaiting(): void {
    for (const entry of waiting.splice(0)) {
      stopped.push(entry);
      report(entry, { state: 'stopped' });
    }
  }

  async function* readReports(): AsyncGenerator<ItemReport<Item>, void, void> {
    readers += 1;
    let hasEnded = false;
    try {
      while (!hasEnded) {
        const next = reports.shift();
        if (next === undefined) {
          if (isIdle()) hasEnded = true;
          else await change;
        } else {
          // A full queue holds back the next item.
          startItems();
          yield next;
        }
      }
      if (failure !== undefined) throw failure.reason;
    } finally {
      readers -= 1;
      if (!hasEnded) stop();
    }
  }

  expectChange();
  startItems();
  return {
    [Symbol.asyncIterator]: readReports,
    add(items) {
      source.add(items);
      startItems();
    },
    pause() {
      isPaused = true;
    },
    resume() {
      isPaused = false;
      startItems();
      notify();
    },
    stop,
    retryFailed() {
      if (isStopped()) return;
      waiting.push(...failed.splice(0));
      startItems();
    },
    get counts() {
      return {
        total: source.total,
        waiting: waiting.length + held.size + source.untaken.length,
        running: running.size - held.size,
        done,
        failed: failed.length,
        stopped: stopped.length,
      };
    },
    get wait() {
      return isStopped() ? undefined : gate.wait;
    },
    remaining() {
      const entries = [...running, ...waiting, ...failed, ...stopped].toSorted((a, b) => a.index - b.index);
      return [...entries.map(({ item }) => item), ...source.untaken];
    },
  };
}
