import { type IncomingHttpHeaders, request } from 'node:http';
import path from 'node:path';
import { type Lab, type LabOptions, startLab } from './lab.ts';

// What the lab's own tests share.

/** A lab with the media that all tests share. */
export function startTestLab(options: Partial<LabOptions> = {}): Promise<Lab> {
  return startLab({ port: 0, cacheDirectory: path.join('data', 'lab'), prepare: false, ...options });
}

/** What came back. */
export interface TestResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** What arrived of the body. */
  readonly body: Buffer;
  /** Whether the connection ended before the declared length was there. */
  readonly broken: boolean;
  /** Milliseconds to the head, and to the end. */
  readonly times: { readonly head: number; readonly end: number };
}

interface TestRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Gives up after so many milliseconds; the answer is then broken, with status 0 if there was no head. */
  readonly timeoutMs?: number;
  /** Leaves once so many bytes of the body are there; the answer is then broken. */
  readonly enough?: number;
}

/** Asks a lab on loopback for an address of the outside world, and follows no redirect. */
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

/** The JSON of an answer. */
export function json(response: TestResponse): Record<string, unknown> {
  return JSON.parse(response.body.toString()) as Record<string, unknown>;
}

/** Adds the members below a value, each as the two names that lead to it: how deep it lies does not matter. */
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
