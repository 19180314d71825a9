import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Time limit for a peer to send more, or to close its side. */
const SILENCE_MS = 1_000;
/** Time limit for a peer that does not stop sending. */
const LINGER_MS = 30_000;

/**
 * Makes a server end a connection after its last response as {@link endSocket} does. Node would close both sides at
 * once.
 */
export function endGently(server: Server): void {
  server.on('connection', (socket) => {
    socket.destroySoon = () => endSocket(socket);
  });
}

/**
 * Sends the last bytes, and closes the connection when its peer does, or after a second of silence. What the peer still
 * sends is read and dropped. Otherwise, the system would reset the connection, and a peer that is still sending would
 * lose the response (RFC 9112 §9.6).
 */
export function endSocket(socket: Duplex, lastBytes = ''): void {
  socket.end(lastBytes);
  const [silence, end] = [SILENCE_MS, LINGER_MS].map((milliseconds) =>
    setTimeout(() => socket.destroy(), milliseconds).unref(),
  );
  socket.on('data', () => silence?.refresh());
  socket.resume();
  socket.once('close', () => {
    clearTimeout(silence);
    clearTimeout(end);
  });
}
