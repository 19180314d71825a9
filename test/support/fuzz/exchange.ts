import { connect } from 'node:net';

/** How an exchange of bytes went. */
export interface Exchange {
  readonly received: Buffer;
  /** `closed` by the server, `reset` by the server or the system, or ended here: `enough` was received, or `timeout`. */
  readonly ended: 'closed' | 'reset' | 'enough' | 'timeout';
}

/** How bytes are exchanged. */
interface ExchangeOptions {
  /** Milliseconds until the server has to close the connection. */
  readonly timeout: number;
  /** Closes the sending side after the last byte. */
  readonly halfClose: boolean;
  /** Whether the rest of the response is not needed. */
  readonly isEnough: (received: Buffer) => boolean;
}

/** Sends bytes over a connection of their own, and collects what is received until it closes. Never throws. */
export async function exchange(
  origin: string,
  bytes: Buffer,
  { timeout, halfClose, isEnough }: ExchangeOptions,
): Promise<Exchange> {
  const { hostname, port } = new URL(origin);
  const { promise, resolve } = Promise.withResolvers<Exchange['ended']>();
  const chunks: Buffer[] = [];
  const socket = connect({ host: hostname, port: Number(port) });
  const timer = setTimeout(() => resolve('timeout'), timeout);
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    if (isEnough(Buffer.concat(chunks))) resolve('enough');
  });
  socket.on('close', () => resolve('closed'));
  // A server that refuses a request before its end may close the connection while it is still being sent.
  socket.on('error', () => resolve('reset'));
  socket.write(bytes);
  if (halfClose) socket.end();
  const ended = await promise;
  clearTimeout(timer);
  socket.destroy();
  return { received: Buffer.concat(chunks), ended };
}
