import type { FastifyInstance } from 'fastify';
import { fileLink } from '../contract/addresses.ts';
import type { Egress } from '../egress/egress.ts';
import { instrumentEgress } from '../metrics/instrument-egress.ts';
import { addAccountRoutes } from '../render/http/account-routes.ts';
import { addBatchRoute } from '../render/http/batch-routes.ts';
import { addWebhookRoutes } from '../render/http/webhook-routes.ts';
import { statusEvent } from '../render/status/status-event.ts';
import { startDeliveries } from '../render/webhooks/deliveries.ts';
import { openWebhookStore } from '../render/webhooks/webhook-store.ts';
import { createWebhookTester } from '../render/webhooks/webhook-test.ts';
import { addRenderRoutes } from './add-render-routes.ts';
import { marketplaceOf } from './marketplace.ts';
import type { NodeServices } from './services.ts';

/** Adds the role `render`: the routes that start, watch and cancel jobs, and that send their files. */
export async function addRenderRole(server: FastifyInstance, services: NodeServices): Promise<void> {
  const { starting, linkTo } = await addRenderRoutes(server, services);
  addBatchRoute(server, starting, linkTo);
  const { database, ledger, sealers } = services;
  const marketplace = marketplaceOf(services);
  addAccountRoutes(server, { ...starting, sql: database, marketplace, linkTo });
  const testWebhook = createWebhookTester(webhookEgress(services));
  const { jobRates } = starting;
  addWebhookRoutes(server, { database, ledger, sealer: sealers.live, marketplace, testWebhook, jobRates });
}

/** Starts delivering webhooks. They contain download links, so the process must already be listening. */
export async function startWebhooks(services: NodeServices): Promise<void> {
  const { log, database, sealers, tracer, addresses, own } = services;
  const linkTo = (link: string, name: string) => fileLink(addresses(), link, name);
  own(
    await startDeliveries({
      database,
      store: openWebhookStore(database, sealers.live),
      egress: webhookEgress(services),
      encodeEvent: (status) => JSON.stringify(statusEvent(status, linkTo)),
      tracer,
      log,
    }),
  );
}

/**
 * Returns the network access of requests to receivers. Those of test jobs are real, too, so it is always the live one.
 */
function webhookEgress({ exits, metrics }: Pick<NodeServices, 'exits' | 'metrics'>): Egress {
  return instrumentEgress(exits.forJobs, 'webhook', metrics);
}
