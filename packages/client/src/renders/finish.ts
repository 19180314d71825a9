import type { DeliveryOutcome } from '../../../../src/contract/delivery-outcome.ts';
import type { RenderOutput, RenderStatusEvent } from '../../../../src/contract/job-status.ts';
import { MillraceRenderError } from '../errors.ts';
import { pause } from '../http/backoff.ts';
import { startDeadline } from '../http/deadline.ts';
import type { JobCalls } from './job-calls.ts';
import { type Startable, withFixedId } from './job-target.ts';
import type { WatchOptions } from './status-stream.ts';

/** A finished render, with its file. */
export type FinishedRender = RenderStatusEvent & { readonly output: RenderOutput };

/**
 * A finished render, with the outcome of the delivery to `output.putUrl`. Its file may not be stored: `output.keep`.
 */
export type DeliveredRender = RenderStatusEvent & { readonly delivery: DeliveryOutcome };

/** Options of {@link Renders.finish} and {@link Renders.deliver}. */
export interface FinishOptions extends WatchOptions {
  /** Called with every status event. */
  readonly onStatus?: ((event: RenderStatusEvent) => void) | undefined;
  /**
   * Milliseconds before each restart of a job whose failure is `retryable`. Default: no restarts.
   * The API recommends {@link advisedRestarts}.
   */
  readonly restartAfter?: readonly number[] | undefined;
}

/** The recommended pauses before restarts of a failed job, in milliseconds. */
export const advisedRestarts: readonly number[] = [5_000, 15_000, 45_000];

/** Starts a render and waits for its file. */
export type Finish = (target: Startable, options?: FinishOptions) => Promise<FinishedRender>;

/** Starts a render and waits for the end of its delivery. */
export type Deliver = (target: Startable, options?: FinishOptions) => Promise<DeliveredRender>;

/** Opens the status stream of a started render. */
type OpenStatus = (
  job: { readonly sseStatusUrl: string },
  options: WatchOptions,
) => AsyncGenerator<RenderStatusEvent, void, void>;

/** Creates {@link Finish} and {@link Deliver}. `clientSignal` cancels everything that the client does. */
export function createFinish(
  start: JobCalls['start'],
  status: OpenStatus,
  clientSignal: AbortSignal | undefined,
): { readonly finish: Finish; readonly deliver: Deliver } {
  /** Returns the last event of a render. */
  async function runToEnd(target: Startable, { onStatus, ...options }: FinishOptions): Promise<RenderStatusEvent> {
    let last: RenderStatusEvent | undefined;
    for await (const event of status(await start(target, { signal: options.signal }), options)) {
      last = event;
      onStatus?.(event);
    }
    if (last === undefined) throw new Error('the status stream ended without an event');
    return last;
  }

  /** Returns the last event of a render that is done. */
  async function runToDone(target: Startable, options: FinishOptions): Promise<RenderStatusEvent> {
    // A restart must use the same ID.
    const restartable = withFixedId(target);
    const restarts = [...(options.restartAfter ?? [])];
    for (;;) {
      const last = await runToEnd(restartable, options);
      if (last.status === 'done') return last;
      const failure = new MillraceRenderError(last);
      const delay = failure.retryable ? restarts.shift() : undefined;
      if (delay === undefined) throw failure;
      const deadline = startDeadline(Number.POSITIVE_INFINITY, [clientSignal, options.signal]);
      await pause(delay, deadline.signal).finally(deadline.close);
    }
  }

  return {
    async finish(target, options = {}) {
      const last = await runToDone(target, options);
      const { output } = last;
      if (output === null) throw new Error('The file was only delivered (output.keep is false); use renders.deliver.');
      return { ...last, output };
    },
    async deliver(target, options = {}) {
      const last = await runToDone(target, options);
      const { delivery } = last;
      if (delivery === undefined) throw new Error('The job has no output.putUrl; use renders.finish.');
      return { ...last, delivery };
    },
  };
}
