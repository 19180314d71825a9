import type { FastifyInstance } from 'fastify';
import type { AuditLog } from '../audit/audit-log.ts';
import { adminRoutes } from '../contract/admin-api/routes.ts';
import { isJobId } from '../contract/job-id.ts';
import type { Database } from '../database/database.ts';
import { addRoute } from '../http/add-route.ts';
import type { Nodes } from '../nodes/nodes.ts';
import { openCursor, sealCursor } from '../render/http/list-cursor.ts';
import { cancelJobAsAdministrator } from '../render/jobs/cancel-job.ts';
import { jobNotFoundError } from '../render/jobs/job-not-found.ts';
import { type ListedJob, listJobs } from '../render/jobs/list-jobs.ts';
import type { Sealer } from '../sealing/sealer.ts';
import { actorOf } from './actor.ts';

interface JobServices {
  readonly database: Database;
  readonly nodes: Pick<Nodes, 'list'>;
  readonly sealer: Sealer;
  readonly auditLog: AuditLog;
}

/** Adds the routes that list and cancel the jobs of all accounts. */
export function addAdminJobRoutes(app: FastifyInstance, { database, nodes, sealer, auditLog }: JobServices): void {
  /** Describes jobs, with the nodes of their workers. */
  async function describeAll(jobs: readonly ListedJob[]) {
    const nodeByWorker = new Map<string | null, string>();
    // The newest node of a worker is its present one. Former ones are listed for an hour if they died.
    if (jobs.some(({ worker }) => worker !== null)) {
      for (const { id, worker } of await nodes.list()) if (!nodeByWorker.has(worker)) nodeByWorker.set(worker, id);
    }
    return jobs.map((job) => describe(job, job.worker === null ? null : (nodeByWorker.get(job.worker) ?? null)));
  }

  async function describeOne(id: string) {
    // The database rejects some texts that are not IDs.
    const { jobs } = isJobId(id) ? await listJobs(database, { id, limit: 1 }) : { jobs: [] };
    const [job] = await describeAll(jobs);
    if (job === undefined) throw jobNotFoundError();
    return job;
  }

  addRoute(app, adminRoutes.listAllJobs, async ({ query: { states, limit, cursor, owner, requestId } }) => {
    const after = cursor === undefined ? undefined : openCursor(sealer, cursor);
    const { jobs, next } = await listJobs(database, { states, limit, after, owner, requestId });
    return { jobs: await describeAll(jobs), nextCursor: next === undefined ? null : sealCursor(sealer, next) };
  });

  addRoute(app, adminRoutes.getAnyJob, async ({ params }) => await describeOne(params.id));

  addRoute(app, adminRoutes.cancelAnyJob, async (request) => {
    const [actor, { id }, { reason }] = [actorOf(request), request.params, request.body];
    const status = await cancelJobAsAdministrator(database, id, reason, async (sql) => {
      await auditLog.by(actor)(sql, { action: 'job.cancel', target: id, reason });
    });
    return { status, job: await describeOne(id) };
  });
}

function describe(job: ListedJob, node: string | null) {
  return {
    id: job.id,
    owner: job.owner,
    state: job.state,
    progress: job.progress,
    error: job.error,
    errorCode: job.error_code,
    requestId: job.request_id,
    run: job.run,
    worker: job.worker,
    node,
    deaths: job.deaths,
    fileSize: job.file_size,
    createdAt: job.created_at.toISOString(),
    expiresAt: job.expires_at.toISOString(),
  };
}
