import type { FastifyInstance } from 'fastify';
import type { Keys } from '../../accounts/keys.ts';
import { MillraceError } from '../../contract/errors.ts';
import { isJobId } from '../../contract/job-id.ts';
import { renderRoutes } from '../../contract/render-api/routes.ts';
import type { Sql } from '../../database/database.ts';
import { jobNotFoundError } from '../jobs/job-not-found.ts';
import { readDeliveries } from '../webhooks/webhook-store.ts';
import { addKeyAuthenticatedRoute } from './add-key-authenticated-route.ts';

/** Adds the route that returns the delivery attempts of a job's webhook to the key that started the job. */
export function addDeliveryRoute(app: FastifyInstance, sql: Sql, keys: Pick<Keys, 'find'>): void {
  addKeyAuthenticatedRoute(app, renderRoutes.readDeliveries, keys, async (account, request, reply) => {
    const { jobId } = request.params;
    // The database rejects some texts that are not IDs.
    const webhook = isJobId(jobId) ? await readDeliveries(sql, jobId) : undefined;
    if (webhook === undefined) throw jobNotFoundError();
    if (webhook.owner !== account.id) {
      throw new MillraceError('forbidden', `Job ${jobId} was started by someone else.`);
    }
    reply.header('cache-control', 'no-store');
    return { jobId, deliveries: webhook.deliveries };
  });
}
