import type { FastifyInstance } from 'fastify';
import { applyCallerRate } from '../../accounts/caller-rate.ts';
import type { Ledger } from '../../accounts/ledger.ts';
import { isJobId } from '../../contract/job-id.ts';
import { renderRoutes } from '../../contract/render-api/routes.ts';
import type { Database } from '../../database/database.ts';
import { disconnectSignal } from '../../http/disconnect-signal.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import { notOwnerError } from '../jobs/cancel-rules.ts';
import { jobNotFoundError } from '../jobs/job-not-found.ts';
import { openAccountWebhooks } from '../webhooks/account-webhooks.ts';
import { redeliver } from '../webhooks/redeliver.ts';
import { readDeliveries } from '../webhooks/webhook-store.ts';
import type { TestWebhook } from '../webhooks/webhook-test.ts';
import { addKeyHolderRoute, type KeyHolderServices } from './add-key-holder-route.ts';

/** Dependencies of the routes of webhooks. */
interface WebhookServices extends KeyHolderServices {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly ledger: Ledger;
  readonly testWebhook: TestWebhook;
}

/** Adds the routes with which a key manages the webhooks of its account, and the deliveries of its jobs. */
export function addWebhookRoutes(app: FastifyInstance, services: WebhookServices): void {
  const { database, sealer, ledger, testWebhook } = services;
  const webhooks = openAccountWebhooks(database, sealer);

  addKeyHolderRoute(app, renderRoutes.readDeliveries, services, async ({ account }, request) => {
    const { jobId } = request.params;
    // The database rejects some texts that are not IDs.
    const job = isJobId(jobId) ? await readDeliveries(database, jobId) : undefined;
    if (job === undefined) throw jobNotFoundError();
    if (job.owner !== account.id) throw notOwnerError(jobId);
    return { jobId, deliveries: job.deliveries };
  });

  addKeyHolderRoute(app, renderRoutes.redeliver, services, async (caller, request, reply) => {
    await applyCallerRate(ledger, caller);
    const delivery = await redeliver(database, request.params, caller.account.id);
    reply.code(202);
    return delivery;
  });

  addKeyHolderRoute(app, renderRoutes.listWebhooks, services, async ({ account }) => ({
    webhooks: [...(await webhooks.list(account.id))],
  }));

  addKeyHolderRoute(app, renderRoutes.createWebhook, services, async ({ account }, request, reply) => {
    const webhook = await webhooks.add(account.id, request.body);
    reply.code(201);
    return webhook;
  });

  addKeyHolderRoute(app, renderRoutes.deleteWebhook, services, async ({ account }, request) =>
    webhooks.delete(account.id, request.params.webhookId),
  );

  addKeyHolderRoute(app, renderRoutes.testWebhook, services, async (caller, request, reply) => {
    await applyCallerRate(ledger, caller);
    const { account } = caller;
    const target = request.body;
    const webhook = 'webhookId' in target ? await webhooks.find(account.id, target.webhookId) : target;
    return await testWebhook(account.id, webhook, disconnectSignal(reply));
  });
}
