import type { JobStore } from '../../render/jobs/job-store.ts';
import type { StartOptions, StartOutcome } from '../../render/jobs/jobs.ts';
import type { ClaimedJob } from '../../render/jobs/queue/claim-job.ts';
import type { SpanAttributes, Tracer } from '../tracer.ts';

/**
 * Wraps a job store so that starts and claims have spans. A job stores the context of the span that starts it, so that
 * every node continues its trace.
 */
export function traceJobStore(store: JobStore, tracer: Tracer): JobStore {
  if (!tracer.isOn) return store;
  const { jobs, queue } = store;

  function traceStart(
    name: string,
    jobId: string,
    options: StartOptions,
    start: (options: StartOptions) => Promise<StartOutcome>,
  ): Promise<StartOutcome> {
    return tracer.span(name, { 'millrace.job.id': jobId }, async () => {
      const { origin } = options;
      const traceContext = tracer.context();
      const isTraced = origin !== undefined && traceContext !== undefined;
      const outcome = await start(isTraced ? { ...options, origin: { ...origin, traceContext } } : options);
      tracer.annotate({ 'millrace.job.is_new': outcome.isNew });
      return outcome;
    });
  }

  return {
    ...store,
    jobs: {
      ...jobs,
      start: (job, owner, options = {}) =>
        traceStart('start job', job.id, options, (traced) => jobs.start(job, owner, traced)),
      retry: (id, owner, options = {}) =>
        traceStart('retry job', id, options, (traced) => jobs.retry(id, owner, traced)),
    },
    queue: {
      ...queue,
      async claim(...call) {
        const startedAt = Date.now();
        const claimed = await queue.claim(...call);
        if (claimed !== undefined) recordClaim(claimed, startedAt, tracer);
        return claimed;
      },
    },
  };
}

/** Records that a job has waited, and its claim. The wait ends when the claim begins. */
function recordClaim(claimed: ClaimedJob, startedAt: number, tracer: Tracer): void {
  const { origin, waitedMs, isFirstRun } = claimed;
  const attributes = jobAttributes(claimed);
  if (isFirstRun) {
    const wait = { startedAt: startedAt - waitedMs, endedAt: startedAt };
    tracer.record(origin?.traceContext, 'wait in queue', attributes, wait);
  }
  tracer.record(origin?.traceContext, 'claim job', attributes, { startedAt, endedAt: Date.now() });
}

/** Does the work of a run in a span. It belongs to the trace of the request that started the job. */
export function traceRun<T>(claimed: ClaimedJob, tracer: Tracer, work: () => T): T {
  return tracer.continueTrace(claimed.origin?.traceContext, 'run job', jobAttributes(claimed), work);
}

function jobAttributes({ id, run, origin }: ClaimedJob): SpanAttributes {
  return { 'millrace.job.id': id, 'millrace.run': run, 'millrace.request_id': origin?.requestId };
}
