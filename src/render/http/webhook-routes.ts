import type { FastifyInstance } from 'fastify';
import { authenticateRender } from '../../accounts/authenticate.ts';
import type { Keys } from '../../accounts/keys.ts';
import type { Deliveries } from '../../contract/deliveries.ts';
import { MillraceError } from '../../contract/errors.ts';
import { isJobId } from '../../contract/job-id.ts';
import type { Sql } from '../../database/database.ts';
import { noSuchJob } from '../jobs/no-such-job.ts';
import { readDeliveries } from '../webhooks/webhook-store.ts';

/** Adds what came of a job's webhook, for the key that started the job. */
export function addDeliveryRoute(app: FastifyInstance, sql: Sql, keys: Pick<Keys, 'find'>): void {
  app.get<{ Params: { jobId: string } }>(
    '/api/v1/render/jobs/:jobId/deliveries',
    async (request, reply): Promise<Deliveries> => {
      const account = await authenticateRender(request.headers, keys);
      const { jobId } = request.params;
      // What is no id may not even be text that the database takes.
      const found = isJobId(jobId) ? await readDeliveries(sql, jobId) : undefined;
      if (found === undefined) {
        throw noSuchJob();
      }
      if (found.owner !== account.id) {
        throw new MillraceError('forbidden', `Job ${jobId} was started by someone else.`);
      }
      reply.header('cache-control', 'no-store');
      return { jobId, deliveries: found.deliveries };
    },
  );
}
