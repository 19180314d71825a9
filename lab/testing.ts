import { type IncomingHttpHeaders, request } from 'node:http';
import path from 'node:path';
import { type Lab, type LabOptions, startLab } from './lab.ts';

// Helpers that the lab's tests share.

/** Starts a lab with the media that all tests share. */
export function startTestLab(options: Partial<LabOptions> = {}): Promise<Lab> {
  return startLab({ port: 0, cacheDirectory: path.join('data', 'lab'), prepare: false, ...options });
}

/** Response of the lab. */
export interface TestResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Received bytes of the body. */
  readonly body: Buffer;
  /** Whether the connection ended before the declared length had arrived. */
  readonly broken: boolean;
  /** Milliseconds until the headers, and until the end. */
  readonly times: { readonly head: number; readonly end: number };
}

interface TestRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Timeout in milliseconds; the response is then broken, with status 0 if there were no headers. */
  readonly timeoutMs?: number;
  /** Number of body bytes after which the client disconnects; the response is then broken. */
  readonly enough?: number;
}

/** Requests an address of the simulated internet from a lab on loopback, without following redirects. */
export function fetchThrough(
  lab: Pick<Lab, 'port'>,
  address: string,
  options: TestRequest = {},
): Promise<TestResponse> {
  const { method = 'GET', headers = {}, body, timeoutMs, enough = Number.POSITIVE_INFINITY } = options;
  const url = new URL(address);
  const start = performance.now();
  return new Promise((resolve, reject) => {
    let head: { status: number; headers: IncomingHttpHeaders; time: number } | undefined;
    const chunks: Buffer[] = [];
    let received = 0;
    const finish = (broken: boolean) =>
      resolve({
        status: head?.status ?? 0,
        headers: head?.headers ?? {},
        body: Buffer.concat(chunks),
        broken,
        times: { head: head?.time ?? 0, end: performance.now() - start },
      });
    const call = request(
      {
        port: lab.port,
        host: '127.0.0.1',
        method,
        path: `${url.pathname}${url.search}`,
        headers: { ...headers, host: url.host },
        agent: false,
        ...(timeoutMs === undefined ? {} : { signal: AbortSignal.timeout(timeoutMs) }),
      },
      (response) => {
        head = { status: response.statusCode ?? 0, headers: response.headers, time: performance.now() - start };
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          received += chunk.length;
          if (received >= enough) call.destroy();
        });
        response.once('end', () => finish(false));
        response.once('error', () => finish(true));
      },
    );
    call.once('error', (error: NodeJS.ErrnoException) => {
      if (head !== undefined || timeoutMs !== undefined || error.code === 'ECONNRESET') finish(true);
      else reject(error);
    });
    call.end(body);
  });
}

/** Parses a response as JSON. */
export function json(response: TestResponse): Record<string, unknown> {
  return JSON.parse(response.body.toString()) as Record<string, unknown>;
}

/** Adds the members below a value at any depth, each with the name of its parent. */
export function addMembers(value: unknown, parent: string, edges: Set<string>): Set<string> {
  if (Array.isArray(value)) for (const item of value) addMembers(item, parent, edges);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      edges.add(`${parent}.${name}`);
      addMembers(member, name, edges);
    }
  }
  return edges;
}
