import type { ClientOptions } from '../client.ts';
import { createClient } from '../client.ts';

/** A request that the client sent. */
export interface SentRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Responds to a request, or fails as fetch does. */
export type RequestHandler = (request: SentRequest, attempt: number) => Response | Promise<Response>;

/** Creates a client whose requests are handled by a function, and a list of the requests that the client sent. */
export function createTestClient(handler: RequestHandler, options: Partial<ClientOptions> = {}) {
  const requests: SentRequest[] = [];
  const fakeFetch = async (input: string | URL | Request, init: RequestInit = {}) => {
    const request: SentRequest = {
      method: init.method ?? 'GET',
      url: new URL(String(input)),
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? init.body : undefined,
      signal: init.signal ?? undefined,
    };
    request.signal?.throwIfAborted();
    requests.push(request);
    return handler(request, requests.length);
  };
  const client = createClient({ url: 'https://api.example', key: 'a-key', fetch: fakeFetch, ...options });
  return { client, requests };
}

/** Creates a JSON response. */
export function jsonResponse(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
}

/** Creates a successful response of the extraction API. */
export function successResponse(metadata: object = {}): Response {
  return jsonResponse({ error: null, metadata });
}

/** Creates an error response as the service does. */
export function errorResponse(
  status: number,
  code: string,
  extraMembers: object = {},
  headers: Record<string, string> = {},
): Response {
  const error = { message: `It is ${code}.`, code, statusCode: status, retryable: status >= 429, ...extraMembers };
  return jsonResponse({ error, metadata: {} }, status, headers);
}

/** Creates a body that sends these chunks and then ends, breaks, or stays silent until the request is aborted. */
export function createBody(
  chunks: readonly (string | Uint8Array)[],
  end: 'ends' | 'breaks' | 'silent',
  signal?: AbortSignal,
): ReadableStream<Uint8Array> {
  const remaining = [...chunks];
  return new ReadableStream({
    start(controller) {
      signal?.addEventListener('abort', () => controller.error(signal.reason));
    },
    async pull(controller) {
      const chunk = remaining.shift();
      if (chunk !== undefined) {
        controller.enqueue(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);
      } else if (end === 'ends') {
        controller.close();
      } else if (end === 'breaks') {
        controller.error(new TypeError('terminated'));
      } else {
        await new Promise(() => undefined);
      }
    },
  });
}
