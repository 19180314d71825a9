import type { ClientOptions } from '../client.ts';
import { createClient } from '../client.ts';

/** A request that the client sent. */
export interface Sent {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Answers a request, or fails as fetch does. */
export type Answering = (sent: Sent, attempt: number) => Response | Promise<Response>;

/** A client whose requests are answered by a function, and what it sent. */
export function clientOf(answering: Answering, options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const answer = async (input: string | URL | Request, init: RequestInit = {}) => {
    const one: Sent = {
      method: init.method ?? 'GET',
      url: new URL(String(input)),
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? init.body : undefined,
      signal: init.signal ?? undefined,
    };
    one.signal?.throwIfAborted();
    sent.push(one);
    return answering(one, sent.length);
  };
  const client = createClient({ url: 'https://api.example', key: 'a-key', fetch: answer, ...options });
  return { client, sent };
}

/** A JSON answer. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
}

/** A good answer of the extraction API. */
export function good(metadata: object = {}): Response {
  return json({ error: null, metadata });
}

/** A refusal, as the service words it. */
export function refused(
  status: number,
  code: string,
  more: object = {},
  headers: Record<string, string> = {},
): Response {
  const error = { message: `It is ${code}.`, code, statusCode: status, retryable: status >= 429, ...more };
  return json({ error, metadata: {} }, status, headers);
}

/** A body that gives these pieces, and then ends, breaks, or stays silent until the request is given up. */
export function bodyOf(
  pieces: readonly (string | Uint8Array)[],
  end: 'ends' | 'breaks' | 'silent',
  signal?: AbortSignal,
): ReadableStream<Uint8Array> {
  const left = [...pieces];
  return new ReadableStream({
    start(controller) {
      signal?.addEventListener('abort', () => controller.error(signal.reason));
    },
    async pull(controller) {
      const piece = left.shift();
      if (piece !== undefined) {
        controller.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);
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
