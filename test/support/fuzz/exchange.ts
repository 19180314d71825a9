import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Piece } from './conversations.ts';

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

/** Sends bytes over a new connection, and collects the responses until it closes. Never throws. */
export async function exchange(
  origin: string,
  pieces: readonly Piece[],
  { timeout, halfClose, isEnough }: ExchangeOptions,
): Promise<Exchange> {
  const { hostname, port } = new URL(origin);
  const { promise, resolve } = Promise.withResolvers<Exchange['ended']>();
  const chunks: Buffer[] = [];
  const begun = Promise.withResolvers<void>();
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const timer = setTimeout(() => resolve('timeout'), timeout);
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    begun.resolve();
    if (isEnough(Buffer.concat(chunks))) resolve('enough');
  });
  socket.on('close', () => resolve('closed'));
  // A server that refuses a request before its end may close the connection while the request is still being sent.
  socket.on('error', () => resolve('reset'));
  void promise.then(() => begun.resolve());
  for (const { bytes, awaitsResponse } of pieces) {
    if (awaitsResponse) await begun.promise;
    if (bytes.length > 0 && socket.writable) socket.write(bytes);
    // The next piece then arrives by itself.
    if (pieces.length > 1) await nextTurn();
  }
  if (halfClose) socket.end();
  const ended = await promise;
  clearTimeout(timer);
  socket.destroy();
  return { received: Buffer.concat(chunks), ended };
}
