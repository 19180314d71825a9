import { renderPaths } from '../../../src/contract/render-api/paths.ts';
import type { RenderOutput, RenderStatusEvent } from '../../../src/contract/status.ts';
import { type DownloadOptions, download } from './download.ts';
import { MillraceRenderError } from './errors.ts';
import { createJobCalls, type JobCalls } from './job-calls.ts';
import { openPatience, pause } from './patience.ts';
import { addressOf } from './route-address.ts';
import { identified, type Startable } from './startable.ts';
import { type WatchOptions, watch } from './status-stream.ts';
import type { Transport } from './transport.ts';

/** A job to watch: its id, or its status stream, by itself or in what a start call answered. */
export type Watchable = string | { readonly sseStatusUrl: string };

/** A render that has its file. */
export type FinishedRender = RenderStatusEvent & { readonly output: RenderOutput };

/** How a render is brought to its end. */
export interface FinishOptions extends WatchOptions {
  /** Hears of every status event. */
  readonly onStatus?: ((event: RenderStatusEvent) => void) | undefined;
  /**
   * Milliseconds before each restart of a job whose failure is `retryable`; none by default.
   * {@link advisedRestarts} are those of the API.
   */
  readonly restartAfter?: readonly number[] | undefined;
}

/** The pauses that the API advises before a failed job is started again, in milliseconds. */
export const advisedRestarts: readonly number[] = [5_000, 15_000, 45_000];

/** Starts renders, watches and cancels them, and fetches their files. */
export interface Renders extends JobCalls {
  /**
   * How a render stands, about once a second, until it is done or failed.
   *
   * @throws MillraceRenderError where there is no such job; MillraceNetworkError, MillraceApiError.
   */
  status(job: Watchable, options?: WatchOptions): AsyncGenerator<RenderStatusEvent, void, void>;
  /**
   * Starts a render and waits for its file.
   *
   * @throws MillraceRenderError where it failed; as {@link start} and {@link status}.
   */
  finish(what: Startable, options?: FinishOptions): Promise<FinishedRender>;
  /**
   * The file of a finished render, or of any download link, as a stream: it goes on where a connection broke off, and
   * errors where the file does not come whole.
   */
  download(
    file: string | { readonly url: string; readonly size?: number },
    options?: DownloadOptions,
  ): ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** Opens the render service. */
export function createRenders(apiUrl: URL, renderKey: string | undefined, transport: Transport): Renders {
  const calls = createJobCalls(apiUrl, renderKey, transport);

  function status(job: Watchable, options?: WatchOptions): AsyncGenerator<RenderStatusEvent, void, void> {
    const link = typeof job === 'string' ? job : job.sseStatusUrl;
    const isLink = /^https?:\/\//i.test(link);
    const url = isLink ? new URL(link) : addressOf(renderPaths.watchJobEvents, { jobId: link }, apiUrl).url;
    return watch(url, transport, options);
  }

  /** The last event of a render. */
  async function end(what: Startable, { onStatus, ...options }: FinishOptions): Promise<RenderStatusEvent> {
    let last: RenderStatusEvent | undefined;
    for await (const event of status(await calls.start(what, { signal: options.signal }), options)) {
      last = event;
      onStatus?.(event);
    }
    if (last === undefined) throw new Error('a status stream ended without an event');
    return last;
  }

  async function finish(what: Startable, options: FinishOptions = {}): Promise<FinishedRender> {
    // A restart must be one of the same job.
    const same = typeof what === 'object' && 'inputs' in what ? identified(what) : what;
    const restarts = [...(options.restartAfter ?? [])];
    for (;;) {
      const last = await end(same, options);
      const { output } = last;
      if (last.status === 'done' && output !== null) return { ...last, output };
      const failure = new MillraceRenderError(last);
      const wait = failure.retryable ? restarts.shift() : undefined;
      if (wait === undefined) throw failure;
      const patience = openPatience(Number.POSITIVE_INFINITY, [transport.signal, options.signal]);
      await pause(wait, patience.signal).finally(patience.close);
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
