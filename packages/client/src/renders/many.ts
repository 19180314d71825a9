import { type RenderBatch, startBatch } from './batch/batch.ts';
import type { ItemReport } from './batch/item-report.ts';
import { openItemSource } from './batch/item-source.ts';
import { type ItemTask, runItem } from './batch/run-item.ts';
import type { Finish, FinishOptions } from './finish.ts';
import type { JobCalls } from './job-calls.ts';
import { type FixedTarget, type Startable, withFixedId } from './job-target.ts';

/** Options of many renders; the other options apply to each of them. */
export interface ManyOptions<Item> extends Omit<FinishOptions, 'onStatus'> {
  /** Maximum number of items in progress at a time, up to 50. Default: 3. */
  readonly concurrency?: number | undefined;
  /**
   * Returns what to start for an item, for example by an extraction. Default: the item itself. The signal aborts when
   * the batch is stopped.
   */
  readonly prepare?: ((item: Item, signal: AbortSignal) => Startable | Promise<Startable>) | undefined;
  /**
   * Does the work for an item in place of a single render: renders several files with `task.finish`, or none if the item
   * needs no render. If it throws because the service is busy, it is called again after the wait.
   */
  readonly run?: ((item: Item, task: ItemTask) => Promise<void>) | undefined;
  /**
   * Maximum total time that an item waits for a busy service, in milliseconds, up to 24 days. Default: 10 minutes. An
   * item that would have to wait longer fails.
   */
  readonly maxWait?: number | undefined;
  /** Called with every report. It must not throw. */
  readonly onReport?: ((report: ItemReport<Item>) => void) | undefined;
}

/** The part of `renders` that renders many items. */
export interface ManyRenders {
  /**
   * Renders many items, a few at a time, and reports each of them. Reads the items only when they can start. The
   * failure of an item does not end the batch; if reading the items fails, the iteration throws that error after the
   * reports. While the service is busy (`rate_limited`, `at_capacity`), further items wait.
   *
   * @throws RangeError for an invalid concurrency or maximum wait.
   */
  many<Item extends Startable>(
    items: Iterable<Item> | AsyncIterable<Item>,
    options?: ManyOptions<Item>,
  ): RenderBatch<Item>;
  many<Item>(
    items: Iterable<Item> | AsyncIterable<Item>,
    options: ManyOptions<Item> &
      (
        | { readonly prepare: NonNullable<ManyOptions<Item>['prepare']> }
        | { readonly run: NonNullable<ManyOptions<Item>['run']> }
      ),
  ): RenderBatch<Item>;
}

const DEFAULT_CONCURRENCY = 3;
const MAX_CONCURRENCY = 50;
const DEFAULT_MAX_WAIT_MS = 600_000;
/** The longest time of a timer. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** Starts a batch. `clientSignal` cancels everything that the client does. */
export function renderMany<Item>(
  { finish, cancel }: { readonly finish: Finish; readonly cancel: JobCalls['cancel'] },
  clientSignal: AbortSignal | undefined,
  items: Iterable<Item> | AsyncIterable<Item>,
  options: ManyOptions<Item> = {},
): RenderBatch<Item> {
  const { concurrency = DEFAULT_CONCURRENCY, maxWait = DEFAULT_MAX_WAIT_MS, ...others } = options;
  const { prepare, run, onReport, signal, ...finishOptions } = others;
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > MAX_CONCURRENCY) {
    throw new RangeError(`The concurrency must be a whole number from 1 to ${MAX_CONCURRENCY}.`);
  }
  if (!(maxWait >= 0 && maxWait <= LONGEST_WAIT_MS)) {
    throw new RangeError(`The maximum wait must be a number of milliseconds from 0 to ${LONGEST_WAIT_MS}.`);
  }
  const calls = { finish, cancel, finishOptions };
  /** Returns the work for an item that becomes one file. */
  const renderOne = (item: Item) => {
    let target: FixedTarget | undefined;
    return async ({ signal: taskSignal, finish: finishTask }: ItemTask) => {
      // Without `prepare`, the items are startable: the overloads of `many` require it.
      target ??= withFixedId(prepare === undefined ? (item as Startable) : await prepare(item, taskSignal));
      await finishTask(target);
    };
  };
  return startBatch<Item>({
    source: openItemSource(items),
    concurrency,
    maxWait,
    signals: [clientSignal, signal].filter((each) => each !== undefined),
    onReport,
    run(item, control, onChange) {
      const work = run === undefined ? renderOne(item) : (task: ItemTask) => run(item, task);
      return runItem(calls, work, control, onChange);
    },
  });
}
