import type { RenderOutput, RenderStatusEvent } from '../../../../src/contract/job-status.ts';
import { renderPaths } from '../../../../src/contract/render-api/paths.ts';
import { MillraceRenderError } from '../errors.ts';
import { pause } from '../http/backoff.ts';
import { startDeadline } from '../http/deadline.ts';
import { addressOf } from '../http/route-address.ts';
import type { Transport } from '../http/transport.ts';
import { type DownloadOptions, download } from './download.ts';
import { createJobCalls, type JobCalls } from './job-calls.ts';
import { type Startable, withId } from './job-target.ts';
import { type WatchOptions, watchStatus } from './status-stream.ts';

/** A job to follow: its ID, the URL of its status stream, or the response of a start call. */
export type Watchable = string | { readonly sseStatusUrl: string };

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

/** Starts, follows and cancels renders, and downloads their files. */
export interface Renders extends JobCalls {
  /**
   * Iterates over the status of a render, about once a second, until it is done or has failed.
   *
   * @throws MillraceRenderError if there is no such job; MillraceNetworkError, MillraceApiError.
   */
  status(job: Watchable, options?: WatchOptions): AsyncGenerator<RenderStatusEvent, void, void>;
  /**
   * Starts a render and waits for its file.
   *
   * @throws MillraceRenderError if it failed; otherwise the same errors as {@link start} and {@link status}.
   */
  finish(target: Startable, options?: FinishOptions): Promise<FinishedRender>;
  /**
   * Downloads the file of a finished render, or of any download link, as a stream. Resumes after lost connections, and
   * fails unless the file is complete.
   */
  download(
    file: string | { readonly url: string; readonly size?: number },
    options?: DownloadOptions,
  ): ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** Opens the render service. `credentials` are the headers of a render key, or else of an extraction key. */
export function createRenders(
  apiUrl: URL,
  credentials: Readonly<Record<string, string>>,
  transport: Transport,
): Renders {
  const calls = createJobCalls(apiUrl, credentials, transport);

  function status(job: Watchable, options?: WatchOptions): AsyncGenerator<RenderStatusEvent, void, void> {
    const link = typeof job === 'string' ? job : job.sseStatusUrl;
    const isLink = /^https?:\/\//i.test(link);
    const url = isLink ? new URL(link) : addressOf(renderPaths.watchJobEvents, { jobId: link }, apiUrl).url;
    return watchStatus(url, transport, options);
  }

  /** Returns the last event of a render. */
  async function runToEnd(target: Startable, { onStatus, ...options }: FinishOptions): Promise<RenderStatusEvent> {
    let last: RenderStatusEvent | undefined;
    for await (const event of status(await calls.start(target, { signal: options.signal }), options)) {
      last = event;
      onStatus?.(event);
    }
    if (last === undefined) throw new Error('the status stream ended without an event');
    return last;
  }

  async function finish(target: Startable, options: FinishOptions = {}): Promise<FinishedRender> {
    // A restart must use the same ID.
    const restartable = typeof target === 'object' && 'inputs' in target ? withId(target) : target;
    const restarts = [...(options.restartAfter ?? [])];
    for (;;) {
      const last = await runToEnd(restartable, options);
      const { output } = last;
      if (last.status === 'done' && output !== null) return { ...last, output };
      const failure = new MillraceRenderError(last);
      const delay = failure.retryable ? restarts.shift() : undefined;
      if (delay === undefined) throw failure;
      const deadline = startDeadline(Number.POSITIVE_INFINITY, [transport.signal, options.signal]);
      await pause(delay, deadline.signal).finally(deadline.close);
    }
  }

  return {
    ...calls,
    status,
    finish,
    download(file, options) {
      const { url, size } = typeof file === 'string' ? { url: file } : file;
      return download(new URL(url, apiUrl), size, transport, options);
    },
  };
}
