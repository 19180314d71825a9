import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ephemeral ports (from 32768 on Linux, from 49152 elsewhere), so that the system gives a port to nobody else
 * between its choice and its use, or while a service restarts.
 */
const FIRST_PORT = 12_000;
const PORTS = 20_000;
const MAX_TRIES = 100;

/** A port that nothing listens on now. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = FIRST_PORT + randomInt(PORTS);
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

/** A database's port. */
export function databasePort(url: string): number {
  return Number(new URL(url).port || 5432);
}

/** A database's address by another port of this machine, such as that of a proxy. */
export function throughPort(url: string, port: number): string {
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String(port);
  return through.href;
}
