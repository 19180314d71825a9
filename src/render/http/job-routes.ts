import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Marketplace } from '../../accounts/authenticate.ts';
import { ownerOf } from '../../accounts/owner.ts';
import { isJobId } from '../../contract/job-id.ts';
import type { RenderCancelResponse, RenderStatusEvent } from '../../contract/job-status.ts';
import { renderRoutes } from '../../contract/render-api/routes.ts';
import { addRoute } from '../../http/add-route.ts';
import { type Sealers, sealerOfLink } from '../../sealing/sealers.ts';
import type { Storage } from '../../storage/storage.ts';
import { openOrder } from '../jobs/execution-url.ts';
import { jobNotFoundError } from '../jobs/job-not-found.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Statuses } from '../jobs/status-row.ts';
import type { StoredDescriptions } from '../jobs/stored-descriptions.ts';
import { type FileUrlBuilder, statusEvent } from '../status/status-event.ts';
import { addKeyHolderRoute } from './add-key-holder-route.ts';
import { deleteStoredFile } from './delete-stored-file.ts';
import type { JobRates } from './job-rates.ts';
import type { CancelMetrics } from './metrics-port.ts';

/** Dependencies of the routes of single jobs. */
interface JobServices {
  readonly statuses: Pick<Statuses, 'read'>;
  readonly jobs: Pick<Jobs, 'cancel' | 'deleteFinished'>;
  readonly storedDescriptions: Pick<StoredDescriptions, 'find'>;
  readonly marketplace: Marketplace;
  readonly storage: Pick<Storage, 'delete'>;
  readonly sealers: Sealers;
  readonly linkTo: FileUrlBuilder;
  readonly metrics: CancelMetrics;
  readonly jobRates: JobRates;
}

/**
 * Adds the routes that return the status of a job as JSON, and that cancel a job with the key or execution URL that
 * started it. An expired execution URL still identifies the job's owner.
 */
export function addJobRoutes(app: FastifyInstance, services: JobServices): void {
  const { statuses, jobs, storedDescriptions, storage, sealers, linkTo, metrics, jobRates } = services;

  async function readStatus(id: string): Promise<RenderStatusEvent> {
    const row = isJobId(id) ? (await statuses.read([id])).get(id) : undefined;
    if (row === undefined) throw jobNotFoundError();
    return statusEvent(row, linkTo);
  }

  async function cancel(
    reply: FastifyReply,
    id: string,
    owner: string,
    visitor?: string,
  ): Promise<RenderCancelResponse> {
    const status = await jobs.cancel(id, owner, visitor);
    metrics.cancelRequested(status);
    const job = await readStatus(id);
    reply.header('cache-control', 'no-store');
    return { jobId: id, status, message: cancelMessage(status, job), job };
  }

  /** Deletes a finished job and its file; undefined if the job is unfinished. */
  async function deleteFinished(
    { log }: Pick<FastifyRequest, 'log'>,
    id: string,
    owner: string,
  ): Promise<RenderCancelResponse | undefined> {
    const row = await jobs.deleteFinished(id, owner);
    if (row === undefined) return undefined;
    metrics.cancelRequested('deleted');
    if (row.file_key !== null) await deleteStoredFile(storage, row.file_key, log);
    return {
      jobId: id,
      status: 'deleted',
      message: 'The job and its file were deleted.',
      job: statusEvent(row, linkTo),
    };
  }

  // The JSON status has its own URL instead of content negotiation on the stream's URL: many clients send `Accept:
  // application/json` whatever they read.
  addRoute(
    app,
    renderRoutes.getJob,
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return await readStatus(request.params.jobId);
    },
    { admit: ({ clientNetworks }) => jobRates.countRead(clientNetworks) },
  );

  addKeyHolderRoute(app, renderRoutes.cancelJob, services, async ({ account }, request, reply) => {
    const { jobId } = request.params;
    if (!request.query.deleteFinished) return await cancel(reply, jobId, account.id);
    const deleted = await deleteFinished(request, jobId, account.id);
    if (deleted !== undefined) return deleted;
    const cancelled = await cancel(reply, jobId, account.id);
    if (cancelled.status === 'cancelled') return cancelled;
    // The job finished between the two calls.
    return (await deleteFinished(request, jobId, account.id)) ?? cancelled;
  });

  addRoute(app, renderRoutes.cancelStoredJob, async (request, reply) => {
    jobRates.countUse(request.clientNetworks);
    const { job, owner } = await storedDescriptions.find(request.params.cacheId);
    jobRates.countUseOf(owner);
    return await cancel(reply, job.id, owner);
  });

  addRoute(app, renderRoutes.cancelSealedJob, async (request, reply) => {
    const { order } = request.query;
    jobRates.countUse(request.clientNetworks);
    const { jobId, owner, visitor } = openOrder(sealerOfLink(sealers, 'execution-url', order), order);
    jobRates.countUseOf(ownerOf({ id: owner, visitor }));
    return await cancel(reply, jobId, owner, visitor);
  });
}

function cancelMessage(status: RenderCancelResponse['status'], job: RenderStatusEvent): string {
  if (status === 'cancelled') return 'The job was cancelled. Starting it again runs it from the beginning.';
  if (job.status !== 'done') return 'The job has already failed.';
  return `The job is already done; its file ${job.output === null ? 'was delivered' : 'is ready'}.`;
}
