import { connect, type Socket } from 'node:net';

/** Only ends what hangs. */
const TIMEOUT_MS = 240_000;

const statusLine = /HTTP\/1\.1 \d{3} /g;

/** How a client sends a request to wear a service down. */
export interface Flood {
  /** Number of times that each connection sends the request, without waiting for responses. */
  readonly times: number;
  /** Number of concurrent connections; default 1. */
  readonly connections?: number;
  /** Number of times that each connection is closed and opened again; default 1. */
  readonly rounds?: number;
  /** Bytes that are sent at once; by default, as many as the network takes. */
  readonly segment?: number;
  /** Whether all connections hold the last byte of the request back until all others have sent the rest. */
  readonly together?: boolean;
  /** Whether the service closes the connection after the first request. */
  readonly closes?: boolean;
  /**
   * What the client does after the last request. By default, it reads to the end. Otherwise it keeps the connection
   * open without reading it, or without sending what the service waits for, or it resets the connection at once.
   */
  readonly ending?: 'read' | 'stay silent' | 'leave unread' | 'reset';
}

/**
 * Sends a request many times from a loopback address. Its characters up to U+00FF are sent as one byte each. Returns
 * when the service has closed each connection, or after `enough` if the client keeps them open.
 *
 * @returns Number of responses whose status line arrived, interim ones included.
 */
export async function send(
  origin: string,
  from: string,
  request: string,
  flood: Flood,
  enough: () => Promise<void>,
): Promise<number> {
  const { times, connections = 1, rounds = 1, ending = 'read', segment, together = false } = flood;
  const last = ending === 'read' ? 'GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n' : '';
  const bytes = Buffer.from(request.repeat(times) + last, 'latin1');
  const held = ending === 'stay silent' || ending === 'leave unread';
  const over = held ? enough() : undefined;
  const heldBack = together ? last.length + 1 : 0;
  const everyone = createBarrier(connections);
  let responses = 0;

  async function visit(): Promise<void> {
    const { hostname, port } = new URL(origin);
    const closed = Promise.withResolvers<void>();
    let end = '';
    const socket = connect({ host: hostname, port: Number(port), localAddress: from, noDelay: true });
    socket.setTimeout(TIMEOUT_MS, () => closed.reject(new Error('the service neither responded nor closed')));
    socket.on('close', () => closed.resolve());
    // A service may refuse a connection, or close it in the middle of a request.
    socket.on('error', () => closed.resolve());
    if (ending === 'leave unread') socket.pause();
    else
      socket.on('data', (chunk: Buffer) => {
        const text = end + chunk.toString('latin1');
        responses += text.match(statusLine)?.length ?? 0;
        // A status line may arrive in two parts. This end is shorter than one.
        end = text.slice(-12);
      });
    void sendAll(socket, closed.promise).then(() => {
      if (ending === 'reset') socket.resetAndDestroy();
    });
    await (over === undefined ? closed.promise : Promise.race([over, closed.promise]));
    socket.destroy();
  }

  async function sendAll(socket: Socket, closed: Promise<void>): Promise<void> {
    const begin = bytes.length - heldBack;
    // The service may refuse the connection.
    await Promise.race([write(socket, bytes.subarray(0, begin), segment), closed.catch(() => undefined)]);
    if (together) await everyone();
    await write(socket, bytes.subarray(begin), segment);
  }

  async function lane(): Promise<void> {
    for (let round = 0; round < rounds; round += 1) await visit();
  }
  await Promise.all(Array.from({ length: connections }, lane));
  // A held connection that the service closed early does not end the flood.
  await over;
  return responses;
}

/** Writes bytes in segments, until the connection is closed. */
async function write(socket: Socket, bytes: Buffer, segment = bytes.length): Promise<void> {
  for (let at = 0; at < bytes.length && !socket.destroyed; at += segment)
    await new Promise((sent) => socket.write(bytes.subarray(at, at + segment), sent));
}

/** Creates a function that resolves once it was called a number of times. */
function createBarrier(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let missing = count;
  return () => {
    missing -= 1;
    if (missing <= 0) resolve();
    return promise;
  };
}
