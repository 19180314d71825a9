import type { FastifyInstance } from 'fastify';
import { fileLink } from '../contract/addresses.ts';
import { instrumentEgress } from '../metrics/instrument-egress.ts';
import { addBatchRoute } from '../render/http/batch-routes.ts';
import { addDeliveryRoute } from '../render/http/webhook-routes.ts';
import { statusEvent } from '../render/status/status-event.ts';
import { startDeliveries } from '../render/webhooks/deliveries.ts';
import { openWebhookStore } from '../render/webhooks/webhook-store.ts';
import type { Parts } from './parts.ts';
import { addRenders } from './renders.ts';

/** Adds the role `render`: jobs are started and watched here, and their files are downloaded. */
export async function addRenderRole(server: FastifyInstance, parts: Parts): Promise<void> {
  const { starting, linkTo } = await addRenders(server, parts);
  addBatchRoute(server, starting, linkTo);
  addDeliveryRoute(server, parts.database, parts.keys);
}

/** Starts what tells callers' webhooks of the end of jobs. It makes download links, so the process has to listen. */
export async function startWebhooks(parts: Parts): Promise<void> {
  const { log, database, sealer, exits, metrics, addresses, own } = parts;
  const linkTo = (link: string, name: string) => fileLink(addresses(), link, name);
  own(
    await startDeliveries({
      database,
      store: openWebhookStore(database, sealer),
      egress: instrumentEgress(exits.ofJobs, 'webhook', metrics),
      eventOf: (status) => JSON.stringify(statusEvent(status, linkTo)),
      log,
    }),
  );
}
