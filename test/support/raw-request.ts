import { connect, type Socket, type TcpNetConnectOpts } from 'node:net';
import { parseResponse, type RawResponse } from './raw-response.ts';

/** Only ends what hangs. */
const TIMEOUT_MS = 240_000;

/** A request, byte for byte: characters up to U+00FF are sent as one byte each. */
interface RawRequest {
  readonly method: string;
  /** The text between the method and the version. */
  readonly target: string;
  /** Value of the `Host` header; the origin's own by default. */
  readonly host?: string;
  /** Headers besides `Host` and `Connection: close`. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string;
  /** Loopback address to connect from; Linux has all of 127.0.0.0/8. */
  readonly from?: string;
}

/** Sends a request that no HTTP client would send, and reads the response. */
export async function sendRaw(origin: string, request: RawRequest): Promise<RawResponse> {
  const { hostname, port } = new URL(origin);
  const body = Buffer.from(request.body ?? '');
  const lines = [
    `${request.method} ${request.target} HTTP/1.1`,
    `Host: ${request.host ?? `${hostname}:${port}`}`,
    'Connection: close',
    ...(request.body === undefined ? [] : [`Content-Length: ${body.length}`]),
    ...(request.headers ?? []).map(([name, value]) => `${name}: ${value}`),
  ];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  const responseBytes = await exchange(
    { host: hostname, port: Number(port), localAddress: request.from },
    Buffer.concat([head, body]),
  );
  const answer = parseResponse(responseBytes, request.method);
  if (answer !== undefined) return answer;
  throw new Error(`${request.method} ${request.target.slice(0, 200)} got no response: ${responseBytes}`);
}

function exchange(to: TcpNetConnectOpts, bytes: Buffer): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  const socket = connect(to);
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no response arrived in time')));
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('close', () => resolve(Buffer.concat(chunks)));
  // A server that refuses a request before its end may close the connection while the request is still being sent.
  socket.on('error', (error) => (chunks.length === 0 ? reject(error) : resolve(Buffer.concat(chunks))));
  socket.write(bytes);
  return promise;
}

/** A connection on which a client has sent something and then stays silent. */
export interface HeldSocket {
  readonly socket: Socket;
  /** Returns the received text so far. */
  received(): string;
}

/** Opens a connection, sends bytes, and neither closes it nor sends more. */
export async function holdSocket(origin: string, from: string, bytes: string): Promise<HeldSocket> {
  const { hostname, port } = new URL(origin);
  let text = '';
  const socket = connect({ host: hostname, port: Number(port), localAddress: from, allowHalfOpen: true });
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  const opened = Promise.withResolvers<void>();
  socket.once('connect', opened.resolve);
  // Many of these connections are opened in order to be cut off.
  socket.on('error', opened.reject);
  await opened.promise;
  if (bytes !== '') socket.write(bytes);
  return { socket, received: () => text };
}
