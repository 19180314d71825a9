import type { RenderStatusEvent } from '../../../../src/contract/job-status.ts';
import { validUrl } from '../../../../src/contract/parse-url.ts';
import { renderPaths } from '../../../../src/contract/render-api/paths.ts';
import { addressOf } from '../http/route-address.ts';
import type { Transport } from '../http/transport.ts';
import { type DownloadOptions, download } from './download.ts';
import { createFinish, type Deliver, type Finish } from './finish.ts';
import { createJobCalls, type JobCalls } from './job-calls.ts';
import { type ManyOptions, type ManyRenders, renderMany } from './many.ts';
import { type WatchOptions, watchStatus } from './status-stream.ts';

/** A job to follow: its ID, the URL of its status stream, or the response of a start call. */
export type Watchable = string | { readonly sseStatusUrl: string };

/** Starts, follows and cancels renders, and downloads their files. */
export interface Renders extends JobCalls, ManyRenders {
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
  readonly finish: Finish;
  /**
   * Starts a render with `output.putUrl` and waits until its file was delivered, or, if it is also stored, until the
   * delivery failed. `delivery` of the result states which.
   *
   * @throws MillraceRenderError if the job failed; otherwise the same errors as {@link start} and {@link status}.
   */
  readonly deliver: Deliver;
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
    const url = isLink ? validUrl(link) : addressOf(renderPaths.watchJobEvents, { jobId: link }, apiUrl).url;
    return watchStatus(url, transport, options);
  }

  const { finish, deliver } = createFinish(calls.start, status, transport.signal);

  return {
    ...calls,
    status,
    finish,
    deliver,
    many<Item>(items: Iterable<Item> | AsyncIterable<Item>, options?: ManyOptions<Item>) {
      return renderMany({ finish, cancel: calls.cancel }, transport.signal, items, options);
    },
    download(file, options) {
      const { url, size } = typeof file === 'string' ? { url: file } : file;
      return download(validUrl(url, apiUrl), size, transport, options);
    },
  };
}
