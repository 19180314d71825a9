import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ephemeral ports (from 32768 on Linux, from 49152 elsewhere), so that the system assigns a port to no other
 * process between its choice and its use, or while a service restarts.
 */
const FIRST_PORT = 12_000;
const PORTS = 20_000;
const MAX_TRIES = 1_000;

/** Position at which this process continues its search: it reuses a port only after all others. */
let offset = randomInt(PORTS);

/**
 * Returns a port that nothing listens on now, and that no other call returns on this machine while this process runs,
 * even in other test runs.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    offset = (offset + 1) % PORTS;
    const port = FIRST_PORT + offset;
    if ((await reserve(port)) && (await isFree(port))) return port;
  }
  throw new Error(`none of ${MAX_TRIES} ports is free`);
}

/**
 * Reserves a TCP port by opening the UDP port with the same number until this process ends. Returns false if another
 * call has reserved it. No program of the tests uses UDP.
 */
async function reserve(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref();
  try {
    // Rejects if the port is in use.
    socket.bind({ port, address: '127.0.0.1', exclusive: true });
    await once(socket, 'listening');
    return true;
  } catch {
    socket.close();
    return false;
  }
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
