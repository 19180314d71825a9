import { once } from 'node:events';
import { createServer } from 'node:http';

/** A service that says whatever a test wants: a hostile one, or a platform's hostile words in the mouth of a good one. */
export interface FakeService {
  readonly url: string;
  close(): Promise<void>;
}

/** An answer: JSON, or a whole stream of status events. */
type FakeResponse = { readonly status?: number; readonly json: unknown } | { readonly events: readonly object[] };

/** Starts a service that answers requests by what their paths begin with; the addresses in its answers may use its own. */
export async function startFakeService(
  responses: (url: string) => Readonly<Record<string, FakeResponse>>,
): Promise<FakeService> {
  const server = createServer((request, response) => {
    const table = responses(url);
    const match = Object.entries(table).find(([begin]) => request.url?.startsWith(begin) === true)?.[1];
    if (match === undefined) {
      response.writeHead(404).end();
    } else if ('events' in match) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(match.events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
    } else {
      response.writeHead(match.status ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(match.json));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the system gave no port');
  const url = `http://127.0.0.1:${address.port}`;
  return {
    url,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
