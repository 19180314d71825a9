import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ephemeral ports (from 32768 on Linux, from 49152 elsewhere), so that the system assigns a port to no other
 * process between its choice and its use, or while a service restarts.
 */
const FIRST_PORT = 12_000;
/** Each test worker has its own range of ports, so no other worker can choose a port before it is opened. */
const PORTS_A_WORKER = 500;
const WORKERS = 40;
const MAX_TRIES = 100;

/** Position at which this process continues its search: it reuses a port only after all others. */
let offset = randomInt(PORTS_A_WORKER);

/** Returns a port that nothing listens on now. */
export async function freePort(): Promise<number> {
  // From 1 in test workers; not set in other programs (vitest 5.1.1, seen 2026-11-23).
  const worker = Number(process.env.VITEST_POOL_ID ?? 0) % WORKERS;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    offset += 1;
    const port = FIRST_PORT + worker * PORTS_A_WORKER + (offset % PORTS_A_WORKER);
    if (await isFree(port)) return port;
  }
  throw new Error(`none of ${MAX_TRIES} ports is free`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    // Rejects if the port is in use.
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/** Returns the port of a database's address. */
export function databasePort(url: string): number {
  return Number(new URL(url).port || 5432);
}

/** Returns a database's address with another port of this machine, such as that of a proxy. */
export function throughPort(url: string, port: number): string {
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String(port);
  return through.href;
}
