import type { SourceClient, SourceRequest, SourceResponse } from '../platforms/platform.ts';
import type { RecordedExchange, RecordedHeaders } from './recorded-exchange.ts';

/** Maximum length of JSON that is parsed, because parsing blocks other requests. */
const MAX_PARSED = 2_000_000;

/** Records the exchanges of an extraction with its site, in the order of the requests. */
export interface ExchangeRecorder {
  /** Returns a client whose responses are recorded. A failed request has no response, and is not recorded. */
  wrap(client: SourceClient): SourceClient;
  /** Returns the exchanges of the last requests, or of all so far, with their secrets. Each one is read when it is due. */
  exchanges(requests?: number): Iterable<RecordedExchange>;
}

/** A request to record. */
interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly options: SourceRequest | undefined;
  readonly body: unknown;
}

/** Creates a recorder. */
export function createRecorder(): ExchangeRecorder {
  const recorded: { readonly request: SentRequest; response?: SourceResponse }[] = [];
  const record = async (request: SentRequest, send: () => Promise<SourceResponse>): Promise<SourceResponse> => {
    const exchange: (typeof recorded)[number] = { request };
    recorded.push(exchange);
    exchange.response = await send();
    return exchange.response;
  };
  return {
    wrap: (client) => ({
      ...client,
      get: (url, options) => record({ method: 'GET', url, options, body: null }, () => client.get(url, options)),
      post: (url, body, options) =>
        record({ method: 'POST', url, options, body: sentBody(body) }, () => client.post(url, body, options)),
    }),
    // Responses are parsed only here, because the exchanges of most extractions are never needed.
    *exchanges(requests = recorded.length) {
      for (const { request, response } of requests === 0 ? [] : recorded.slice(-requests))
        if (response !== undefined) yield* exchangesOf(request, response);
    },
  };
}

/** Returns the exchange of a request. If it was redirected, also the exchange with the final address. */
function exchangesOf({ method, url, options, body }: SentRequest, response: SourceResponse): RecordedExchange[] {
  const source = { tool: 'millrace', date: new Date().toISOString().slice(0, 10) };
  const request = { method, url, headers: mapHeaders(options?.headers ?? {}), body };
  const received = {
    status: response.status,
    headers: mapHeaders(response.headers),
    body: receivedBody(response.text),
  };
  if (response.url === url) return [{ source, request, response: received }];
  return [
    { source, request, response: { status: 302, headers: { location: [response.url] }, body: '' } },
    { source, request: { ...request, method: 'GET', url: response.url, body: null }, response: received },
  ];
}

function mapHeaders(headers: SourceResponse['headers']): RecordedHeaders {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value].flat()]])),
  );
}

function sentBody(body: unknown): unknown {
  return body instanceof URLSearchParams ? body.toString() : JSON.parse(JSON.stringify(body));
}

/** Returns JSON as its value, unless it is large or a number in it could lose digits, and any other text unchanged. */
function receivedBody(text: string): unknown {
  if (text.length > MAX_PARSED || !/^\s*[[{]/.test(text) || /[:[,]\s*-?\d{16}/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON, although it looks like it.
    return text;
  }
}
