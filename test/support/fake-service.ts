import { once } from 'node:events';
import { createServer } from 'node:http';

/** A service with responses set by a test: a hostile one, or a good one that passes on a platform's hostile text. */
export interface FakeService {
  readonly url: string;
  close(): Promise<void>;
}

/** A response: JSON, or a complete stream of status events. */
type FakeResponse = { readonly status?: number; readonly json: unknown } | { readonly events: readonly object[] };

/**
 * Starts a service that selects a response by the beginning of the path. URLs in its responses may contain its own
 * origin.
 */
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
  if (address === null || typeof address === 'string') throw new Error('the system assigned no port');
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
