import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { StatusEvent } from '../http-client.ts';

/** A webhook that arrived. */
interface WebhookRequest {
  readonly headers: IncomingHttpHeaders;
  readonly event: StatusEvent;
}

/** Starts a webhook receiver on loopback that accepts everything. */
export async function startReceiver() {
  const received: WebhookRequest[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, event: (await json(request)) as StatusEvent });
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: received as readonly WebhookRequest[],
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
