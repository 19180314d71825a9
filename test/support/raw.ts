import { connect } from 'node:net';
import { parseAnswer, type RawAnswer } from './raw-answer.ts';

const TIMEOUT_MS = 30_000;

/** A request, byte for byte: characters up to U+00FF are sent as one byte each. */
export interface RawRequest {
  readonly method: string;
  /** What stands between the method and the version. */
  readonly target: string;
  /** Value of the `Host` header; the origin's own by default. */
  readonly host?: string;
  /** Besides `Host` and `Connection: close`. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string;
}

/** Sends what no HTTP client would, and reads the answer. */
export async function sendRaw(origin: string, request: RawRequest): Promise<RawAnswer> {
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
  const received = await exchange(hostname, Number(port), Buffer.concat([head, body]));
  const answer = parseAnswer(received, request.method);
  if (answer !== undefined) return answer;
  throw new Error(`${request.method} ${request.target.slice(0, 200)} got no answer: ${received}`);
}

function exchange(host: string, port: number, bytes: Buffer): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  const socket = connect({ host, port });
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no answer came in time')));
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('close', () => resolve(Buffer.concat(chunks)));
  // Whoever refuses a request before its end may close the connection while it is still being sent.
  socket.on('error', (error) => (chunks.length === 0 ? reject(error) : resolve(Buffer.concat(chunks))));
  socket.write(bytes);
  return promise;
}
