import type { RenderOutput, RenderStatusEvent } from '../../../../../src/contract/job-status.ts';
import type { Finish, FinishedRender, FinishOptions } from '../finish.ts';
import type { JobCalls } from '../job-calls.ts';
import { type FixedTarget, type Startable, withFixedId } from '../job-target.ts';
import type { CapacityGate } from './capacity-gate.ts';
import type { ItemChange } from './item-report.ts';

/** What the work for an item can use. */
export interface ItemTask {
  /** Aborts when the batch is stopped. */
  readonly signal: AbortSignal;
  /**
   * Renders a file with the options of the batch, and reports its progress. Starts when the service is not busy. If
   * the batch is stopped with `cancel`, the job is cancelled.
   *
   * @throws The same errors as `finish`.
   */
  finish(target: Startable): Promise<FinishedRender>;
}

/** The calls that render the items of a batch. */
export interface ItemCalls {
  readonly finish: Finish;
  readonly cancel: JobCalls['cancel'];
  readonly finishOptions: Omit<FinishOptions, 'onStatus' | 'signal'>;
}

/** How a batch holds back its items and ends them early. */
export interface ItemControl {
  readonly gate: CapacityGate;
  /** Aborts when the batch is stopped. */
  readonly signal: AbortSignal;
  /** Whether the jobs of a stopped batch are cancelled. */
  readonly cancelsJobs: boolean;
}

/** How an item ended. */
export type ItemOutcome =
  | {
      readonly state: 'done';
      readonly progress: 100;
      readonly event?: RenderStatusEvent;
      readonly output?: RenderOutput;
    }
  | { readonly state: 'failed' | 'stopped'; readonly event?: RenderStatusEvent; readonly error?: unknown };

/** Does the work for an item, again after each wait for a busy service. Reports the changes before its end. */
export async function runItem(
  calls: ItemCalls,
  work: (task: ItemTask) => Promise<unknown>,
  control: ItemControl,
  onChange: (change: ItemChange) => void,
): Promise<ItemOutcome> {
  const { signal } = control;
  const gated = control.gate.forItem(signal, (wait) =>
    onChange(wait === undefined ? { state: 'preparing' } : { state: 'waiting', wait }),
  );
  let last: { readonly event?: RenderStatusEvent; readonly output?: RenderOutput } = {};
  const unfinished = new Set<FixedTarget>();
  const onStatus = (event: RenderStatusEvent) => {
    last = { ...last, event };
    if (event.status !== 'done' && event.status !== 'failed') {
      onChange({ state: 'running', progress: event.progress, event });
    }
  };

  async function finish(target: Startable): Promise<FinishedRender> {
    const fixed = withFixedId(target);
    unfinished.add(fixed);
    try {
      await gated.whenOpen();
      const event = await calls.finish(fixed, { ...calls.finishOptions, signal, onStatus });
      unfinished.delete(fixed);
      last = { event, output: event.output };
      return event;
    } catch (error) {
      if (!signal.aborted) unfinished.delete(fixed);
      throw error;
    }
  }

  try {
    await gated.run(() => work({ signal, finish }));
    return { state: 'done', progress: 100, ...last };
  } catch (error) {
    const facts = last.event === undefined ? {} : { event: last.event };
    if (!signal.aborted) return { state: 'failed', ...facts, error };
    if (!control.cancelsJobs) return { state: 'stopped', ...facts };
    return { state: 'stopped', ...facts, ...(await cancelJobs(calls, unfinished)) };
  }
}

/** Cancels the jobs of a stopped item. Returns the error of the first that cannot be cancelled. */
async function cancelJobs(
  { cancel }: ItemCalls,
  targets: ReadonlySet<FixedTarget>,
): Promise<{ readonly error?: unknown }> {
  const calls = Array.from(targets, (target) =>
    cancel(typeof target === 'object' && 'inputs' in target ? { jobId: target.id } : target),
  );
  const failure = (await Promise.allSettled(calls)).find(({ status }) => status === 'rejected');
  return failure?.status === 'rejected' ? { error: failure.reason } : {};
}
