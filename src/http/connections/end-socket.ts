import type { Duplex } from 'node:stream';

/** Time limit for a peer to read the last bytes and close its side. */
const LINGER_MS = 1_000;

/**
 * Sends the last bytes and closes the connection within a second. Node's HTTP servers allow half-open sockets, so after
 * `end()` the socket would stay open if the peer never closes its side.
 */
export function endSocket(socket: Duplex, lastBytes: string): void {
  socket.end(lastBytes);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}
