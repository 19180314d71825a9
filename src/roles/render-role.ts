import type { FastifyInstance } from 'fastify';
import { fileLink } from '../contract/addresses.ts';
import { instrumentEgress } from '../metrics/instrument-egress.ts';
import { addBatchRoute } from '../render/http/batch-routes.ts';
import { addDeliveryRoute } from '../render/http/webhook-routes.ts';
import { statusEvent } from '../render/status/status-event.ts';
import { startDeliveries } from '../render/webhooks/deliveries.ts';
import { openWebhookStore } from '../render/webhooks/webhook-store.ts';
import { addRenderRoutes } from './add-render-routes.ts';
import type { NodeServices } from './services.ts';

/** Adds the role `render`: the routes that start, watch and cancel jobs, and that send their files. */
export async function addRenderRole(server: FastifyInstance, services: NodeServices): Promise<void> {
  const { starting, linkTo } = await addRenderRoutes(server, services);
  addBatchRoute(server, starting, linkTo);
  addDeliveryRoute(server, services.database, services.keys);
}

/** Starts delivering webhooks. They contain download links, so the process must already be listening. */
export async function startWebhooks(services: NodeServices): Promise<void> {
  const { log, database, sealer, exits, metrics, addresses, own } = services;
  const linkTo = (link: string, name: string) => fileLink(addresses(), link, name);
  own(
    await startDeliveries({
      database,
      store: openWebhookStore(database, sealer),
      egress: instrumentEgress(exits.forJobs, 'webhook', metrics),
      encodeEvent: (status) => JSON.stringify(statusEvent(status, linkTo)),
      log,
    }),
  );
}
