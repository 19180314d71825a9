import type { BatchResponse, BatchResult } from '../../../../src/contract/batch.ts';
import type { Deliveries, Delivery } from '../../../../src/contract/deliveries.ts';
import type { JobList } from '../../../../src/contract/job-list.ts';
import type {
  CacheResponse,
  JobState,
  RenderCancelResponse,
  RenderStartResponse,
  RenderStatusEvent,
} from '../../../../src/contract/job-status.ts';
import { validUrl } from '../../../../src/contract/parse-url.ts';
import { setParameters } from '../../../../src/contract/query-parameters.ts';
import { renderPaths } from '../../../../src/contract/render-api/paths.ts';
import type { RenderPreview } from '../../../../src/contract/render-preview.ts';
import { maxBatchItems } from '../../../../src/contract/shared-constants.ts';
import { MillraceNetworkError, type RequestFacts } from '../errors.ts';
import type { ShapeName } from '../http/check-response.ts';
import { readApiError } from '../http/error-response.ts';
import { addressOf, type RouteAddress } from '../http/route-address.ts';
import { type CallOptions, describeRequest, type Transport } from '../http/transport.ts';
import { type Cancellable, executionUrlOf, type NewJob, type Startable, withId } from './job-target.ts';

/** A started render: the response of the start call, and the outcome if the job has already finished. */
export type StartedRender = RenderStartResponse & Omit<BatchResult, 'statusCode' | 'retryAfter' | 'body'>;

/** Options of {@link JobCalls.list}. */
export interface ListJobsOptions extends CallOptions {
  /** Returns only jobs in these states. Default: all. */
  readonly states?: readonly JobState[] | undefined;
  /** Maximum number of jobs on the page, up to 100. Default: 20. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string | undefined;
}

/** Job calls that return a single response. */
export interface JobCalls {
  /**
   * Starts a render, or attaches to it if it was started before.
   *
   * @throws MillraceApiError, MillraceNetworkError.
   */
  start(target: Startable, options?: CallOptions): Promise<RenderStartResponse>;
  /**
   * Previews a start: what it would do, with sizes and limits, without starting anything. Throws the same errors as
   * {@link start}.
   */
  preview(target: Startable, options?: CallOptions): Promise<RenderPreview>;
  /** @deprecated Renamed to {@link preview}. */
  readonly plan: JobCalls['preview'];
  /**
   * Starts many renders. Returns the result of each, in order, as `Promise.allSettled` does; a rejected one has a
   * MillraceApiError as its reason. A job that has already finished has `output` if it is done, or `error_code` if it
   * failed.
   *
   * @throws The same errors as {@link start}, if the call itself fails.
   */
  startAll(targets: readonly Startable[], options?: CallOptions): Promise<PromiseSettledResult<StartedRender>[]>;
  /**
   * Cancels an unfinished render. The response states whether it was cancelled in time, and contains the job's status.
   *
   * @throws The same errors as {@link start}: MillraceApiError `not_found` if there is no such job, `forbidden` if it
   * is not yours.
   */
  cancel(target: Cancellable, options?: CallOptions): Promise<RenderCancelResponse>;
  /** Returns the current status of a render, by its ID. Throws the same errors as {@link cancel}. */
  look(job: string | { readonly jobId: string }, options?: CallOptions): Promise<RenderStatusEvent>;
  /**
   * Returns a page of the jobs of the account, newest first. `nextCursor` requests the next page.
   *
   * @throws MillraceApiError, MillraceNetworkError.
   */
  list(options?: ListJobsOptions): Promise<JobList>;
  /**
   * Runs a failed job of the account again, with its stored description.
   *
   * @throws The same errors as {@link start}; MillraceApiError `conflict` if the job has not failed or has no stored
   * description.
   */
  retry(jobId: string, options?: CallOptions): Promise<RenderStartResponse>;
  /** Deletes a finished job and its file, or cancels an unfinished one. Throws the same errors as {@link cancel}. */
  delete(jobId: string, options?: CallOptions): Promise<RenderCancelResponse>;
  /** Sends the event of a delivery again. Throws the same errors as {@link cancel}, and `conflict` if it is pending. */
  redeliver(jobId: string, deliveryId: string, options?: CallOptions): Promise<Delivery>;
  /** Returns the webhook deliveries of a job of the account. Throws the same errors as {@link cancel}. */
  deliveries(jobId: string, options?: CallOptions): Promise<Deliveries>;
  /**
   * Stores a job without starting it; the `executionUrl` of the response starts it, without a key. Throws the same
   * errors as {@link start}.
   */
  store(job: NewJob, options?: CallOptions): Promise<CacheResponse>;
}

/**
 * Creates the calls. The transport checks the shapes of responses, and throws every error response.
 * `credentials` are the headers of a key.
 */
export function createJobCalls(
  apiUrl: URL,
  credentials: Readonly<Record<string, string>>,
  transport: Transport,
): JobCalls {
  const { authorization } = credentials;
  // Starts accept only render keys.
  const startCredentials: Readonly<Record<string, string>> = authorization === undefined ? {} : { authorization };

  function post(
    address: RouteAddress<'POST'>,
    body: object,
    shape: ShapeName | undefined,
    idempotent: boolean,
    options?: CallOptions,
    keyHeaders = startCredentials,
  ): Promise<unknown> {
    const headers = { 'content-type': 'application/json', ...keyHeaders };
    return transport.json(
      { ...address, headers, body: JSON.stringify(body), ...(shape === undefined ? {} : { shape }), idempotent },
      options,
    );
  }

  /** Sends a start call, or requests its preview. */
  async function execute(target: Startable, previewOnly: boolean, options?: CallOptions): Promise<unknown> {
    const executionUrl = executionUrlOf(target);
    const address =
      executionUrl === undefined
        ? addressOf(renderPaths.startJob, {}, apiUrl)
        : { method: renderPaths.startSealedJob.method, url: validUrl(executionUrl, apiUrl) };
    if (previewOnly) setParameters(address.url, { plan: 'only' });
    const shape = previewOnly ? 'RenderPreview' : 'RenderStart';
    return address.method === 'POST'
      ? await post(address, withId(target as NewJob), shape, true, options)
      : await transport.json({ ...address, shape, idempotent: true }, options);
  }

  async function startBatch(targets: readonly Startable[], options?: CallOptions) {
    const jobs = targets.map((target) => {
      const executionUrl = executionUrlOf(target);
      return executionUrl === undefined ? withId(target as NewJob) : { executionUrl };
    });
    const address = addressOf(renderPaths.startJobs, {}, apiUrl);
    const { results } = (await post(address, { jobs }, 'Batch', true, options)) as BatchResponse;
    return results.map((result) => toOutcome(result, describeRequest({ ...address, idempotent: true })));
  }

  const preview: JobCalls['preview'] = async (target, options) =>
    (await execute(target, true, options)) as RenderPreview;

  return {
    async start(target, options) {
      return (await execute(target, false, options)) as RenderStartResponse;
    },
    preview,
    plan: preview,
    async startAll(targets, options) {
      const outcomes: PromiseSettledResult<StartedRender>[] = [];
      for (let offset = 0; offset < targets.length; offset += maxBatchItems) {
        outcomes.push(...(await startBatch(targets.slice(offset, offset + maxBatchItems), options)));
      }
      return outcomes;
    },
    async cancel(target, options) {
      const jobOrUrl = parseTarget(target);
      const request =
        'executionUrl' in jobOrUrl
          ? { method: renderPaths.cancelSealedJob.method, url: cancelUrlOf(jobOrUrl.executionUrl, apiUrl) }
          : { ...addressOf(renderPaths.cancelJob, jobOrUrl, apiUrl), headers: credentials };
      return (await transport.json(
        { ...request, shape: 'RenderCancel', idempotent: true },
        options,
      )) as RenderCancelResponse;
    },
    async look(job, options) {
      const jobId = typeof job === 'string' ? job : job.jobId;
      const address = addressOf(renderPaths.getJob, { jobId }, apiUrl);
      return (await transport.json(
        { ...address, shape: 'RenderStatusEvent', idempotent: true },
        options,
      )) as RenderStatusEvent;
    },
    async deliveries(jobId, options) {
      const address = addressOf(renderPaths.readDeliveries, { jobId }, apiUrl);
      const request = { ...address, headers: credentials, idempotent: true } as const;
      return (await transport.json(request, options)) as Deliveries;
    },
    async list({ states = [], limit, cursor, ...options } = {}) {
      const { method, url } = addressOf(renderPaths.listJobs, {}, apiUrl);
      if (states.length > 0) setParameters(url, { state: states.join(',') });
      if (limit !== undefined) setParameters(url, { limit: String(limit) });
      if (cursor !== undefined) setParameters(url, { cursor });
      const request = { method, url, headers: credentials, shape: 'JobList', idempotent: true } as const;
      return (await transport.json(request, options)) as JobList;
    },
    async retry(jobId, options) {
      const address = addressOf(renderPaths.retryJob, { jobId }, apiUrl);
      return (await post(address, {}, 'RenderStart', false, options, credentials)) as RenderStartResponse;
    },
    async delete(jobId, options) {
      const { method, url } = addressOf(renderPaths.cancelJob, { jobId }, apiUrl);
      setParameters(url, { finished: 'delete' });
      const request = { method, url, headers: credentials, shape: 'RenderCancel', idempotent: true } as const;
      return (await transport.json(request, options)) as RenderCancelResponse;
    },
    async redeliver(jobId, deliveryId, options) {
      const address = addressOf(renderPaths.redeliver, { jobId, deliveryId }, apiUrl);
      return (await post(address, {}, undefined, false, options, credentials)) as Delivery;
    },
    async store(job, options) {
      const address = addressOf(renderPaths.storeJob, {}, apiUrl);
      return (await post(address, withId(job), 'StoredJob', false, options)) as CacheResponse;
    },
  };
}

/** Converts the result of one job of a batch to the result of a single start. */
function toOutcome(
  { statusCode, retryAfter, body, ...outcome }: BatchResult,
  request: RequestFacts,
): PromiseSettledResult<StartedRender> {
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  const error = readApiError(new Response(null, { status: statusCode, headers }), body, request);
  if (error !== undefined) return { status: 'rejected', reason: error };
  return { status: 'fulfilled', value: { ...(body as RenderStartResponse), ...outcome } };
}

/**
 * Returns the URL that cancels the job of an execution URL. A service states these URLs, so a DELETE is sent to no other
 * path, where it might delete something else.
 *
 * @throws MillraceNetworkError with the fault `malformed`.
 */
function cancelUrlOf(executionUrl: string, apiUrl: URL): URL {
  const url = validUrl(executionUrl, apiUrl);
  // The ID of a stored job may follow.
  if (/\/api\/v1\/render\/execute(?:\/[^/]+)?$/.test(url.pathname)) return url;
  const facts = describeRequest({ method: 'DELETE', url, idempotent: true });
  throw new MillraceNetworkError('malformed', `${facts.url} is not an execution URL.`, facts);
}

/** Returns the ID of a job, or the link that starts it. */
function parseTarget(target: Cancellable): { readonly jobId: string } | { readonly executionUrl: string } {
  if (typeof target === 'string') return /^https?:\/\//i.test(target) ? { executionUrl: target } : { jobId: target };
  return 'renderConfig' in target ? target.renderConfig : target;
}
