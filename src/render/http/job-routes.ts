import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Keys } from '../../accounts/keys.ts';
import { isJobId } from '../../contract/job-id.ts';
import type { RenderCancelResponse, RenderStatusEvent } from '../../contract/job-status.ts';
import { renderRoutes } from '../../contract/render-api/routes.ts';
import { addRoute } from '../../http/add-route.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import { openOrder } from '../jobs/execution-url.ts';
import { jobNotFoundError } from '../jobs/job-not-found.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Statuses } from '../jobs/status-row.ts';
import type { StoredDescriptions } from '../jobs/stored-descriptions.ts';
import { type FileUrlBuilder, statusEvent } from '../status/status-event.ts';
import { addKeyAuthenticatedRoute } from './add-key-authenticated-route.ts';
import type { CancelMetrics } from './metrics-port.ts';

/** Dependencies of the routes of single jobs. */
interface JobServices {
  readonly statuses: Pick<Statuses, 'read'>;
  readonly jobs: Pick<Jobs, 'cancel'>;
  readonly storedDescriptions: Pick<StoredDescriptions, 'find'>;
  readonly keys: Pick<Keys, 'find'>;
  readonly sealer: Sealer;
  readonly linkTo: FileUrlBuilder;
  readonly metrics: CancelMetrics;
}

/**
 * Adds the routes that return the status of a job as JSON, and that cancel a job with the key or execution URL that
 * started it. An expired execution URL still identifies the job's owner.
 */
export function addJobRoutes(app: FastifyInstance, services: JobServices): void {
  const { statuses, jobs, storedDescriptions, keys, sealer, linkTo, metrics } = services;

  async function readStatus(id: string): Promise<RenderStatusEvent> {
    const row = isJobId(id) ? (await statuses.read([id])).get(id) : undefined;
    if (row === undefined) throw jobNotFoundError();
    return statusEvent(row, linkTo);
  }

  async function cancel(reply: FastifyReply, id: string, owner: string): Promise<RenderCancelResponse> {
    const status = await jobs.cancel(id, owner);
    metrics.cancelRequested(status);
    const job = await readStatus(id);
    reply.header('cache-control', 'no-store');
    return { jobId: id, status, message: cancelMessage(status, job), job };
  }

  // The JSON status has its own URL instead of content negotiation on the stream's URL: many clients send `Accept:
  // application/json` whatever they read.
  addRoute(app, renderRoutes.getJob, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    return await readStatus(request.params.jobId);
  });

  addKeyAuthenticatedRoute(
    app,
    renderRoutes.cancelJob,
    keys,
    async (account, request, reply) => await cancel(reply, request.params.jobId, account.id),
  );

  addRoute(app, renderRoutes.cancelStoredJob, async (request, reply) => {
    const { job, owner } = await storedDescriptions.find(request.params.cacheId);
    return await cancel(reply, job.id, owner);
  });

  addRoute(app, renderRoutes.cancelSealedJob, async (request, reply) => {
    const { jobId, owner } = openOrder(sealer, request.query.order);
    return await cancel(reply, jobId, owner);
  });
}

function cancelMessage(status: RenderCancelResponse['status'], job: RenderStatusEvent): string {
  if (status === 'cancelled') return 'The job was cancelled. Starting it again runs it from the beginning.';
  return job.status === 'done' ? 'The job is already done; its file is ready.' : 'The job has already failed.';
}
