import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';

/** Statuses of redirects. */
export const redirectStatuses = [301, 302, 303, 307, 308] as const;

/** A server, and the requests that it has received: methods, paths and all headers, as text. */
interface RecordingServer {
  readonly url: string;
  readonly requests: readonly string[];
}

/** A server that redirects every request to the same path of another server, which returns an empty object. */
export interface Redirect extends RecordingServer {
  readonly elsewhere: RecordingServer;
  close(): Promise<void>;
}

/** Starts two servers. The second has another port than the first, and so another origin. */
export async function startRedirect(status: number): Promise<Redirect> {
  const elsewhere = await start((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const first = await start(({ url = '' }, response) => {
    response.writeHead(status, { location: elsewhere.url + url }).end();
  });
  return {
    url: first.url,
    requests: first.requests,
    elsewhere,
    async close() {
      await Promise.all([first, elsewhere].map(({ close }) => close()));
    },
  };
}

async function start(respond: RequestListener): Promise<RecordingServer & { close(): Promise<void> }> {
  const requests: string[] = [];
  const server: Server = createServer((request, response) => {
    requests.push([request.method, request.url, ...request.rawHeaders].join(' '));
    respond(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the system assigned no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
