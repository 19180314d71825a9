import type { RenderOutput, RenderStatusEvent } from '../../../../src/contract/job-status.ts';
import { MillraceRenderError } from '../errors.ts';
import { pause } from '../http/backoff.ts';
import { startDeadline } from '../http/deadline.ts';
import type { JobCalls } from './job-calls.ts';
import { type Startable, withFixedId } from './job-target.ts';
import type { WatchOptions } from './status-stream.ts';

/** A finished render, with its file. */
export type FinishedRender = RenderStatusEvent & { readonly output: RenderOutput };

/** Options of {@link Renders.finish}. */
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

/** Opens the status stream of a started render. */
type OpenStatus = (
  job: { readonly sseStatusUrl: string },
  options: WatchOptions,
) => AsyncGenerator<RenderStatusEvent, void, void>;

/** Creates {@link Finish}. `clientSignal` cancels everything that the client does. */
export function createFinish(
  start: JobCalls['start'],
  status: OpenStatus,
  clientSignal: AbortSignal | undefined,
): Finish {
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

  return async function finish(target: Startable, options: FinishOptions = {}): Promise<FinishedRender> {
    // A restart must use the same ID.
    const restartable = withFixedId(target);
    const restarts = [...(options.restartAfter ?? [])];
    for (;;) {
      const last = await runToEnd(restartable, options);
      const { output } = last;
      if (last.status === 'done' && output !== null) return { ...last, output };
      const failure = new MillraceRenderError(last);
      const delay = failure.retryable ? restarts.shift() : undefined;
      if (delay === undefined) throw failure;
      const deadline = startDeadline(Number.POSITIVE_INFINITY, [clientSignal, options.signal]);
      await pause(delay, deadline.signal).finally(deadline.close);
    }
  };
}
