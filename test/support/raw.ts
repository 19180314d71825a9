import { connect } from 'node:net';

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

/** An answer as it came. */
export interface RawAnswer {
  readonly status: number;
  /** By lower-case name; of repeated ones the last. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
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
  return parse(await exchange(hostname, Number(port), Buffer.concat([head, body])), request);
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

function parse(bytes: Buffer, { method, target }: RawRequest): RawAnswer {
  const end = bytes.indexOf('\r\n\r\n');
  const [first = '', ...lines] = bytes.subarray(0, Math.max(end, 0)).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
  if (Number.isNaN(status)) throw new Error(`${method} ${target.slice(0, 200)} got no answer: ${bytes}`);
  const headers = new Map(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.replace(/^.*?: ?/, '')]),
  );
  const sent = bytes.subarray(end + 4);
  const body = headers.get('transfer-encoding') === 'chunked' ? joinChunks(sent) : sent;
  return { status, headers, body: body.toString() };
}

function joinChunks(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at);
    const length = Number.parseInt(bytes.toString('latin1', at, line), 16);
    if (line < 0 || !(length > 0)) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(line + 2, line + 2 + length));
    at = line + 4 + length;
  }
}
