import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** A proxy to a service that slows files down. */
export interface SlowConnection {
  readonly url: string;
  /** `Range` of each request for a file; null for the whole file. */
  readonly ranges: readonly (string | null)[];
  /** Sets the speed of files from now on, in bytes per second. */
  setSpeed(bytesPerSecond: number): void;
  close(): Promise<void>;
}

const TICK_MS = 50;

/**
 * Opens a proxy to a service that starts later, because the service must know the proxy's address first.
 *
 * @param target Returns the address of the service.
 */
export async function openSlowConnection(port: number, target: () => string): Promise<SlowConnection> {
  const ranges: (string | null)[] = [];
  let speed = Number.POSITIVE_INFINITY;
  const server = createServer((incoming, response) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const isFile = url.startsWith('/files/');
    if (isFile) ranges.push(headers.range ?? null);
    const call = request(target() + url, { method, headers }, (upstream) => {
      response.writeHead(upstream.statusCode ?? 502, upstream.headers);
      response.on('close', () => upstream.destroy());
      if (isFile) void trickle(upstream).catch(() => response.destroy());
      else upstream.pipe(response);
    });
    async function trickle(upstream: IncomingMessage): Promise<void> {
      for await (const chunk of upstream as AsyncIterable<Buffer>) {
        for (let at = 0; at < chunk.length && !response.destroyed; ) {
          const size = Math.min(chunk.length - at, Math.max(1, Math.floor((speed * TICK_MS) / 1000)));
          response.write(chunk.subarray(at, at + size));
          at += size;
          if (Number.isFinite(speed)) await delay(TICK_MS);
        }
      }
      response.end();
    }
    call.on('error', () => response.destroy());
    incoming.pipe(call);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${port}`,
    ranges,
    setSpeed(bytesPerSecond) {
      speed = bytesPerSecond;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
