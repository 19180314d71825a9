import { type OutputContainer, outputContainers } from '../../contract/containers.ts';
import { type DeliveryOutcome, deliveryFailureCode } from '../../contract/delivery-outcome.ts';
import type { MillraceError } from '../../contract/errors.ts';
import { inertTypeOf } from '../../contract/inert-media-types.ts';
import type { Job } from '../../contract/job.ts';
import type { DeliveryTarget } from '../../contract/output-delivery.ts';
import { validUrl } from '../../contract/parse-url.ts';
import type { Egress } from '../../egress/egress.ts';
import { noTracing, type Tracer } from '../../tracing/tracer.ts';
import { createConcurrencyLimit } from '../../waiting/concurrency-limit.ts';
import { sleep } from '../../waiting/sleep.ts';
import type { FinishedResult } from '../receipts/finished-result.ts';
import { deliveryTimeoutError, notRetriedError, refusedError } from './delivery-errors.ts';
import type { WorkerMetrics } from './metrics-port.ts';
import { type PutAttempt, putFile } from './put-file.ts';
import { ResultNotRetained, type Retention } from './result-retention.ts';
import type { Pause } from './retry-database-call.ts';
import { uploadTimeout } from './upload-timeout.ts';
import type { UploadOptions } from './uploads.ts';

/** Maximum number of concurrent retries, and of those of one owner. First attempts use the slots of their runs. */
const RETRIES_AT_ONCE = 8;
const RETRIES_OF_OWNER = 2;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** Maximum pause that a store's `Retry-After` can cause. */
const MAX_RETRY_AFTER_MS = 3_600_000;

/** The network access of deliveries. */
export type DeliveryEgress = Pick<Egress, 'exchange'>;

/** Parameters of a delivery. */
export type DeliveryOptions = Omit<UploadOptions, 'job'>;

/** The end of a delivery. */
interface EndedDelivery {
  readonly outcome: DeliveryOutcome;
  /** Why it failed; absent if it succeeded. */
  readonly error?: MillraceError;
  /** The result, which may have been moved. */
  readonly result: FinishedResult;
}

/** Uploads results to the stores of callers. */
export interface ResultDeliveries {
  /**
   * Uploads a result to the store of its job. Retries temporary failures until shortly before the job expires, or for
   * half of that time if the file must also be stored here.
   *
   * @throws MillraceError `storage_failed` if the file was changed; an error of the file system; the signal's reason.
   */
  deliver(job: Job, target: DeliveryTarget, result: FinishedResult, call: DeliveryOptions): Promise<EndedDelivery>;
}

/** Dependencies of deliveries. */
interface DeliveryServices {
  readonly egress: DeliveryEgress;
  readonly retention: Retention;
  readonly metrics: Pick<WorkerMetrics, 'deliveryEnded'>;
  readonly tracer?: Tracer;
  readonly pause?: Pause;
}

/** Creates {@link ResultDeliveries}. */
export function createResultDeliveries(services: DeliveryServices): ResultDeliveries {
  const { egress, retention, metrics, tracer = noTracing, pause: wait = sleep } = services;
  const retries = createConcurrencyLimit(RETRIES_AT_ONCE, RETRIES_OF_OWNER);

  /** Makes attempts until one is final or the signal is aborted. `progress` always states what has happened. */
  async function attempt(
    job: Job,
    target: DeliveryTarget,
    progress: DeliveryProgress,
    call: DeliveryOptions,
    signal: AbortSignal,
  ): Promise<PutAttempt> {
    const { run, owner, onProgress, onWaiting, onRetained, log } = call;
    const put = async () => {
      progress.attempts += 1;
      const { path, bytes } = progress.result;
      const source = { path, bytes, mediaType: mediaTypeOf(job.output.ext) };
      progress.last = await putFile(source, target, { egress, owner, onProgress, signal });
      return progress.last;
    };
    const first = await put();
    if (first.verdict !== 'failed') return first;
    log.warn({ status: first.status, err: first.error }, 'the result could not be delivered; the upload is retried');
    await onWaiting();
    progress.result = await retention.retain(progress.result, { ...call, job: job.id }, first.error, signal);
    onRetained();
    try {
      for (let next = FIRST_PAUSE_MS, last = first; ; next = Math.min(next * 2, MAX_PAUSE_MS)) {
        // Jitter, so that uploads that failed together are not retried together.
        const backoff = next * (0.5 + Math.random() / 2);
        await wait(Math.max(backoff, Math.min(last.retryAfter ?? 0, MAX_RETRY_AFTER_MS)), signal);
        last = await retries.run(put, signal, owner);
        if (last.verdict !== 'failed') return last;
      }
    } finally {
      retention.release(run);
    }
  }

  return {
    async deliver(job, target, result, call) {
      const { host } = validUrl(target.url);
      const available = uploadTimeout(call.expiresAt);
      const timeout = AbortSignal.timeout(target.keep ? Math.floor(available / 2) : available);
      const signal = AbortSignal.any([call.signal, timeout]);
      const progress: DeliveryProgress = { result, attempts: 0, last: undefined };

      /** Returns why the delivery failed; undefined if it succeeded. */
      async function attemptAll(): Promise<MillraceError | undefined> {
        try {
          const end = await attempt(job, target, progress, call, signal);
          return end.verdict === 'delivered' ? undefined : refusedError(host, end);
        } catch (error) {
          call.signal.throwIfAborted();
          const { last } = progress;
          if (error === timeout.reason) return deliveryTimeoutError(host, last);
          if (error instanceof ResultNotRetained && last !== undefined) return notRetriedError(host, last, error);
          throw error;
        }
      }

      return await tracer.span('deliver result', { 'millrace.bytes': result.bytes }, async () => {
        const error = await attemptAll();
        const { attempts, last } = progress;
        const status = error === undefined ? 'delivered' : 'failed';
        metrics.deliveryEnded(error?.code ?? 'ok');
        if (error !== undefined) tracer.fail(error.code);
        tracer.annotate({ 'millrace.attempts': attempts });
        call.log.info({ status, httpStatus: last?.status, code: error?.code, attempts }, 'the delivery has ended');
        const outcome = {
          status,
          host,
          bytes: result.bytes,
          attempts,
          httpStatus: last?.status ?? null,
          etag: error === undefined ? (last?.etag ?? null) : null,
          code: error === undefined ? null : deliveryFailureCode(error.code),
          message: error?.message ?? null,
        } as const;
        return { outcome, ...(error === undefined ? {} : { error }), result: progress.result };
      });
    },
  };
}

/** What a delivery has done so far. */
interface DeliveryProgress {
  result: FinishedResult;
  attempts: number;
  /** The last attempt that ended. */
  last: PutAttempt | undefined;
}

/** Returns the media type of a result. A file that is not processed may have any extension. */
function mediaTypeOf(ext: string): string {
  return Object.hasOwn(outputContainers, ext)
    ? outputContainers[ext as OutputContainer].mimeType
    : inertTypeOf(`file.${ext}`);
}
