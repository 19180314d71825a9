import type { JobDescription } from '../contract/job.ts';
import type { CacheResponse, RenderOutput, RenderStartResponse, RenderStatusEvent } from '../contract/status.ts';
import { type DownloadOptions, download } from './download.ts';
import { MillraceRenderError } from './errors.ts';
import { openPatience, pause } from './patience.ts';
import { type WatchOptions, watch } from './status-stream.ts';
import type { CallOptions, Transport } from './transport.ts';

/** A job of one's own. Without an id it gets one that nobody can guess. */
export type NewJob = Omit<JobDescription, 'id'> & { readonly id?: string };

/**
 * What a render is started from: an execution URL, by itself, in a render config or a stored job's answer, or in a
 * renderable item; or the description of a job, for which the client needs a render key.
 */
export type Startable =
  | string
  | { readonly executionUrl: string }
  | { readonly renderConfig: { readonly executionUrl: string } }
  | NewJob;

/** A job to watch: its id, or its status stream, by itself or in what a start call answered. */
export type Watchable = string | { readonly sseStatusUrl: string };

/** A render that has its file. */
export type FinishedRender = RenderStatusEvent & { readonly output: RenderOutput };

/** How a render is brought to its end. */
export interface FinishOptions extends WatchOptions {
  /** Hears of every status event. */
  readonly onStatus?: ((event: RenderStatusEvent) => void) | undefined;
  /**
   * Milliseconds before each restart of a failed job; none by default. {@link advisedRestarts} are those of the API.
   */
  readonly restartAfter?: readonly number[] | undefined;
}

/** The pauses that the API advises before a failed job is started again, in milliseconds. */
export const advisedRestarts: readonly number[] = [5_000, 15_000, 45_000];

/** Starts renders, watches them, and fetches their files. */
export interface Renders {
  /**
   * Starts a render, or attaches to it where it was started before.
   *
   * @throws MillraceApiError, MillraceNetworkError.
   */
  start(what: Startable, options?: CallOptions): Promise<RenderStartResponse>;
  /** Stores a job without starting it: the answer's `executionUrl` does, without a key. Errors as {@link start}. */
  store(job: NewJob, options?: CallOptions): Promise<CacheResponse>;
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
  const headers = {
    'content-type': 'application/json',
    ...(renderKey === undefined ? {} : { authorization: `Bearer ${renderKey}` }),
  };

  async function post(path: string, job: NewJob, idempotent: boolean, options?: CallOptions): Promise<unknown> {
    const body = JSON.stringify(identified(job));
    return await transport.json({ method: 'POST', url: new URL(path, apiUrl), headers, body, idempotent }, options);
  }

  async function start(what: Startable, options?: CallOptions): Promise<RenderStartResponse> {
    const executionUrl = executionUrlOf(what);
    const answer =
      executionUrl === undefined
        ? await post('api/v1/render/execute', what as NewJob, true, options)
        : await transport.json({ method: 'GET', url: new URL(executionUrl, apiUrl), idempotent: true }, options);
    // The shape is the service's promise; what refuses is thrown before.
    return answer as RenderStartResponse;
  }

  function status(job: Watchable, options?: WatchOptions): AsyncGenerator<RenderStatusEvent, void, void> {
    const link = typeof job === 'string' ? job : job.sseStatusUrl;
    const isLink = /^https?:\/\//i.test(link);
    return watch(
      isLink ? new URL(link) : new URL(`api/v1/render/status/sse/${encodeURIComponent(link)}`, apiUrl),
      transport,
      options,
    );
  }

  /** The last event of a render. */
  async function end(what: Startable, { onStatus, ...options }: FinishOptions): Promise<RenderStatusEvent> {
    let last: RenderStatusEvent | undefined;
    for await (const event of status(await start(what, { signal: options.signal }), options)) {
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
      const wait = restarts.shift();
      if (wait === undefined) throw new MillraceRenderError(last);
      const patience = openPatience(Number.POSITIVE_INFINITY, [transport.signal, options.signal]);
      await pause(wait, patience.signal).finally(patience.close);
    }
  }

  return {
    start,
    async store(job, options) {
      return (await post('api/v1/render/cache', job, false, options)) as CacheResponse;
    },
    status,
    finish,
    download(file, options) {
      const { url, size } = typeof file === 'string' ? { url: file } : file;
      return download(new URL(url, apiUrl), size, transport, options);
    },
  };
}

function executionUrlOf(what: Startable): string | undefined {
  if (typeof what === 'string') return what;
  if ('renderConfig' in what) return what.renderConfig.executionUrl;
  return 'executionUrl' in what ? what.executionUrl : undefined;
}

function identified(job: NewJob): JobDescription {
  if (job.id !== undefined) return { ...job, id: job.id };
  // Not randomUUID: pages of plain http, such as a service on one's own machine, have none.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return { ...job, id: `job-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}` };
}
