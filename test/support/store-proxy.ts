import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Changes of a proxy to a response. */
interface ResponseChange {
  /** Number of body bytes after which nothing more is sent. */
  readonly bytes?: number;
  /** Headers that replace the store's. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request on its way to a store. */
interface ProxiedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Its body, which may be changed. */
  readonly body: Buffer;
  /** Forwards the request with a body, and returns the response, changed as described. */
  pass(body: Buffer, change?: ResponseChange): void;
}

/** An HTTP proxy in front of a store. */
export interface StoreProxy {
  readonly url: string;
  /** Handles each request; forwards them by default. */
  handle: (passing: ProxiedRequest) => void;
  stop(): Promise<void>;
}

/** Starts a proxy in front of the store at an address. */
export async function startStoreProxy(store: string): Promise<StoreProxy> {
  const server = createServer(async (incoming, response) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const pass: ProxiedRequest['pass'] = (body, { bytes, headers: others } = {}) => {
      const upstream = request(`${store}${url}`, { method, headers }, async (answer) => {
        response.writeHead(answer.statusCode ?? 500, { ...answer.headers, ...others });
        if (bytes === undefined) answer.pipe(response);
        else response.write((await buffer(answer)).subarray(0, bytes));
      });
      upstream.end(body);
    };
    proxy.handle({ request: incoming, response, body: await buffer(incoming), pass });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: StoreProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    handle: ({ body, pass }) => pass(body),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
