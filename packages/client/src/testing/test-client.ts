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

/** Answers a request, or fails as fetch does. */
export type RequestHandler = (request: SentRequest, attempt: number) => Response | Promise<Response>;

/** A client whose requests are answered by a function, and what it sent. */
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

/** A JSON answer. */
export function jsonResponse(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
}

/** A good answer of the extraction API. */
export function successResponse(metadata: object = {}): Response {
  return jsonResponse({ error: null, metadata });
}

/** A refusal, as the service words it. */
export function errorResponse(
  status: number,
  code: string,
  extraMembers: object = {},
  headers: Record<string, string> = {},
): Response {
  const error = { message: `It is ${code}.`, code, statusCode: status, retryable: status >= 429, ...extraMembers };
  return jsonResponse({ error, metadata: {} }, status, headers);
}

/** A body that gives these pieces, and then ends, breaks, or stays silent until the request is given up. */
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
