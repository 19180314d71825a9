import type { BatchResponse, BatchResult } from '../../../src/contract/batch.ts';
import type { Deliveries } from '../../../src/contract/deliveries.ts';
import { renderPaths } from '../../../src/contract/render-api/paths.ts';
import type { RenderPlan } from '../../../src/contract/render-preview.ts';
import type {
  CacheResponse,
  RenderCancelResponse,
  RenderStartResponse,
  RenderStatusEvent,
} from '../../../src/contract/status.ts';
import type { RequestFacts } from './errors.ts';
import { readRefusal } from './refusal.ts';
import { addressOf, type RouteAddress } from './route-address.ts';
import { type Cancellable, executionUrlOf, identified, type NewJob, type Startable } from './startable.ts';
import { type CallOptions, factsOf, type Transport } from './transport.ts';

/** A render that was started: the start call's response, and the outcome of a job that is already over. */
export type StartedRender = RenderStartResponse & Omit<BatchResult, 'statusCode' | 'retryAfter' | 'body'>;

/** Calls about jobs that are answered once. */
export interface JobCalls {
  /**
   * Starts a render, or attaches to it where it was started before.
   *
   * @throws MillraceApiError, MillraceNetworkError.
   */
  start(what: Startable, options?: CallOptions): Promise<RenderStartResponse>;
  /** What a start would do, with sizes and limits. Nothing is started. Errors as {@link start}. */
  plan(what: Startable, options?: CallOptions): Promise<RenderPlan>;
  /**
   * Starts many renders, each as if it were started alone: what became of each stands in its place, as
   * `Promise.allSettled` tells it, with a MillraceApiError as the reason where it was refused.
   * A job that is already over has its outcome: `output` if it was done before, `error_code` if it failed.
   *
   * @throws as {@link start}, where the call itself fails.
   */
  startAll(what: readonly Startable[], options?: CallOptions): Promise<PromiseSettledResult<StartedRender>[]>;
  /**
   * Cancels a render that is not over. The answer tells whether it did, or came too late, and how the job stands.
   *
   * @throws as {@link start}: MillraceApiError `not_found` where there is no such job, `forbidden` where it is not yours.
   */
  cancel(what: Cancellable, options?: CallOptions): Promise<RenderCancelResponse>;
  /** How a render stands now, by its id. Errors as {@link cancel}. */
  look(job: string | { readonly jobId: string }, options?: CallOptions): Promise<RenderStatusEvent>;
  /** What came of the webhook of a job that the client's render key has started. Errors as {@link cancel}. */
  deliveries(jobId: string, options?: CallOptions): Promise<Deliveries>;
  /** Stores a job without starting it: the answer's `executionUrl` does, without a key. Errors as {@link start}. */
  store(job: NewJob, options?: CallOptions): Promise<CacheResponse>;
}

/** As many jobs as one call takes. */
const BATCH_SIZE = 50;

/** Opens the calls. Shapes of answers are the service's promise; what refuses is thrown before. */
export function createJobCalls(apiUrl: URL, renderKey: string | undefined, transport: Transport): JobCalls {
  const key: Record<string, string> = renderKey === undefined ? {} : { authorization: `Bearer ${renderKey}` };
  const headers = { 'content-type': 'application/json', ...key };

  function post(
    address: RouteAddress<'POST'>,
    content: object,
    idempotent: boolean,
    options?: CallOptions,
  ): Promise<unknown> {
    return transport.json({ ...address, headers, body: JSON.stringify(content), idempotent }, options);
  }

  /** Makes a start call, or asks for its plan. */
  async function execute(what: Startable, planOnly: boolean, options?: CallOptions): Promise<unknown> {
    const executionUrl = executionUrlOf(what);
    const address =
      executionUrl === undefined
        ? addressOf(renderPaths.startJob, {}, apiUrl)
        : { method: renderPaths.startSealedJob.method, url: new URL(executionUrl, apiUrl) };
    if (planOnly) address.url.searchParams.set('plan', 'only');
    return address.method === 'POST'
      ? await post(address, identified(what as NewJob), true, options)
      : await transport.json({ ...address, idempotent: true }, options);
  }

  async function startSome(what: readonly Startable[], options?: CallOptions) {
    const jobs = what.map((one) => {
      const executionUrl = executionUrlOf(one);
      return executionUrl === undefined ? identified(one as NewJob) : { executionUrl };
    });
    const address = addressOf(renderPaths.startJobs, {}, apiUrl);
    const { results } = (await post(address, { jobs }, true, options)) as BatchResponse;
    return results.map((result) => outcomeOf(result, factsOf({ ...address, idempotent: true })));
  }

  return {
    async start(what, options) {
      return (await execute(what, false, options)) as RenderStartResponse;
    },
    async plan(what, options) {
      return (await execute(what, true, options)) as RenderPlan;
    },
    async startAll(what, options) {
      const outcomes: PromiseSettledResult<StartedRender>[] = [];
      for (let first = 0; first < what.length; first += BATCH_SIZE) {
        outcomes.push(...(await startSome(what.slice(first, first + BATCH_SIZE), options)));
      }
      return outcomes;
    },
    async cancel(what, options) {
      const place = placeOf(what);
      const ask =
        'executionUrl' in place
          ? { method: renderPaths.cancelSealedJob.method, url: new URL(place.executionUrl, apiUrl) }
          : { ...addressOf(renderPaths.cancelJob, place, apiUrl), headers: key };
      return (await transport.json({ ...ask, idempotent: true }, options)) as RenderCancelResponse;
    },
    async look(job, options) {
      const jobId = typeof job === 'string' ? job : job.jobId;
      const ask = { ...addressOf(renderPaths.getJob, { jobId }, apiUrl), idempotent: true };
      return (await transport.json(ask, options)) as RenderStatusEvent;
    },
    async deliveries(jobId, options) {
      const ask = { ...addressOf(renderPaths.readDeliveries, { jobId }, apiUrl), headers: key, idempotent: true };
      return (await transport.json(ask, options)) as Deliveries;
    },
    async store(job, options) {
      return (await post(
        addressOf(renderPaths.storeJob, {}, apiUrl),
        identified(job),
        false,
        options,
      )) as CacheResponse;
    },
  };
}

/** What became of one of many, as if it had been started alone. */
function outcomeOf(
  { statusCode, retryAfter, body, ...over }: BatchResult,
  request: RequestFacts,
): PromiseSettledResult<StartedRender> {
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  const refusal = readRefusal(new Response(null, { status: statusCode, headers }), body, request);
  if (refusal !== undefined) return { status: 'rejected', reason: refusal };
  return { status: 'fulfilled', value: { ...(body as RenderStartResponse), ...over } };
}

/** Whether a job is named by its id, or by a link that starts it. */
function placeOf(what: Cancellable): { readonly jobId: string } | { readonly executionUrl: string } {
  if (typeof what === 'string') return /^https?:\/\//i.test(what) ? { executionUrl: what } : { jobId: what };
  return 'renderConfig' in what ? what.renderConfig : what;
}
