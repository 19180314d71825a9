import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A platform that accepts requests and never responds. */
export interface Platform {
  readonly url: string;
  /** Settles at the next request with its time, on the clock of `performance`. */
  nextRequest(signal: AbortSignal): Promise<number>;
  close(): Promise<void>;
}

/** Starts a platform that never responds, on this machine. */
export async function openPlatform(): Promise<Platform> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async nextRequest(signal) {
      await once(server, 'request', { signal });
      return performance.now();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
