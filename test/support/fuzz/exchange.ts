import { connect } from 'node:net';

/** Result of an exchange of bytes. */
export interface Exchange {
  readonly received: Buffer;
  /**
   * `closed` by the server, `reset` by the server or the system, or ended here because `enough` was received or because
   * of the `timeout`.
   */
  readonly ended: 'closed' | 'reset' | 'enough' | 'timeout';
}

/** Options of an exchange. */
interface ExchangeOptions {
  /** Milliseconds within which the server has to close the connection. */
  readonly timeout: number;
  /** Closes the sending side after the last byte. */
  readonly halfClose: boolean;
  /** Whether the rest of the response is not needed. */
  readonly isEnough: (received: Buffer) => boolean;
}

/** Sends bytes over a new connection, and collects the response until it closes. Never throws. */
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
  // A server that refuses a request before its end may close the connection while the request is still being sent.
  socket.on('error', () => resolve('reset'));
  socket.write(bytes);
  if (halfClose) socket.end();
  const ended = await promise;
  clearTimeout(timer);
  socket.destroy();
  return { received: Buffer.concat(chunks), ended };
}
