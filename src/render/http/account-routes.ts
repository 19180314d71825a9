import type { FastifyInstance } from 'fastify';
import type { Marketplace } from '../../accounts/authenticate.ts';
import { openUsage } from '../../accounts/usage.ts';
import { reportUsage } from '../../accounts/usage-report.ts';
import { renderRoutes } from '../../contract/render-api/routes.ts';
import type { Sql } from '../../database/database.ts';
import { noteAccess } from '../../http/access-log.ts';
import { requestOriginOf } from '../../http/request-origin.ts';
import { sealerFor } from '../../sealing/sealers.ts';
import { countUnfinishedJobs } from '../jobs/job-counts.ts';
import { listJobs } from '../jobs/list-jobs.ts';
import { readStoredSizes } from '../jobs/stored-size.ts';
import { tenantOf } from '../jobs/tenants.ts';
import { type FileUrlBuilder, statusEvent } from '../status/status-event.ts';
import { addKeyHolderRoute } from './add-key-holder-route.ts';
import { createJobStarter, type StartServices } from './job-starter.ts';
import { openCursor, sealCursor } from './list-cursor.ts';

/** Jobs in a list that count as one request more. */
const JOBS_PER_REQUEST = 10;

/** Dependencies of the routes with which a key manages its own jobs. */
export interface AccountServices extends StartServices {
  readonly sql: Sql;
  readonly marketplace: Marketplace;
  readonly linkTo: FileUrlBuilder;
}

/** Adds the routes with which a key lists and retries its own jobs, and reads its usage. */
export function addAccountRoutes(app: FastifyInstance, services: AccountServices): void {
  const { sql, sealers, linkTo, jobRates } = services;
  const starter = createJobStarter(services);
  const usage = openUsage(sql);

  addKeyHolderRoute(app, renderRoutes.listJobs, services, async ({ account }, request) => {
    const { states, limit, cursor } = request.query;
    jobRates.countCall(account.id, limit / JOBS_PER_REQUEST);
    const sealer = sealerFor(sealers, account.test);
    const after = cursor === undefined ? undefined : openCursor(sealer, cursor);
    const { jobs, next } = await listJobs(sql, { owner: account.id, states, limit, after });
    return {
      jobs: jobs.map((job) => statusEvent(job, linkTo)),
      nextCursor: next === undefined ? null : sealCursor(sealer, next),
    };
  });

  addKeyHolderRoute(app, renderRoutes.retryJob, services, async (caller, request, reply) => {
    const { statusCode, body } = await starter.retry(caller, request.params.jobId, requestOriginOf(request));
    reply.code(statusCode);
    noteAccess(request, { job: body.jobId });
    return body;
  });

  addKeyHolderRoute(app, renderRoutes.readUsage, services, async (caller) => {
    const { id } = caller.account;
    const [unfinishedJobs, { own: storedBytes }] = await Promise.all([
      countUnfinishedJobs(sql, id),
      readStoredSizes(sql, tenantOf(id, false)),
    ]);
    return await reportUsage(usage, caller, { unfinishedJobs, storedBytes }, new Date());
  });
}
