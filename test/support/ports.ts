import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port that nothing listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('the system gave no port');
  return address.port;
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
