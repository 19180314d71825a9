import { once } from 'node:events';
import type { Socket } from 'node:net';

/** First byte of every SOCKS 5 client; no HTTP request begins with it. */
export const socksVersion = 5;

const withCredentials = 2;
const nameType = 3;
const addressLengths: Readonly<Record<number, number>> = { 1: 4, 4: 16 };

/**
 * Performs the handshake with a client of a SOCKS 5 proxy (RFC 1928, RFC 1929) as if the client were connected to its
 * target. The remaining bytes are the client's request and are pushed back into the socket. Returns the client's user
 * name, or an empty string if it sends no credentials.
 *
 * @param first Bytes that have already arrived; the socket is paused.
 * @throws Error when the client disconnects or violates the protocol.
 */
export async function greetSocksClient(socket: Socket, first: Buffer): Promise<string> {
  const { take, rest } = taker(socket, first);
  const [, methodCount = 0] = await take(2);
  const methods = await take(methodCount);
  const asksForUser = methods.includes(withCredentials);
  socket.write(Buffer.from([socksVersion, asksForUser ? withCredentials : 0]));
  let user = '';
  if (asksForUser) {
    const [, length = 0] = await take(2);
    user = (await take(length)).toString();
    await take((await take(1))[0] ?? 0);
    socket.write(Buffer.from([1, 0]));
  }
  const [, , , type = 0] = await take(4);
  const addressLength = type === nameType ? (await take(1))[0] : addressLengths[type];
  if (addressLength === undefined) throw new Error(`The address type ${type} is unknown.`);
  await take(addressLength + 2);
  socket.write(Buffer.from([socksVersion, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
  socket.unshift(rest());
  return user;
}

/** Reads a given number of bytes of a socket at a time. */
function taker(socket: Socket, first: Buffer): { take(count: number): Promise<Buffer>; rest(): Buffer } {
  let bytes = first;
  const socketClosed = once(socket, 'close').then(() => Promise.reject(new Error('The client disconnected.')));
  // The pending read reports this error.
  socketClosed.catch(() => undefined);
  return {
    async take(count) {
      while (bytes.length < count) {
        const nextChunk = once(socket, 'data') as Promise<[Buffer]>;
        socket.resume();
        const [chunk] = await Promise.race([nextChunk, socketClosed]);
        socket.pause();
        bytes = Buffer.concat([bytes, chunk]);
      }
      const head = bytes.subarray(0, count);
      bytes = bytes.subarray(count);
      return head;
    },
    rest: () => bytes,
  };
}
