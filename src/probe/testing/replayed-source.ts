import { MillraceError } from '../../contract/errors.ts';
import type { SourceClient, SourceResponse } from '../../platforms/platform.ts';
import type { RecordedExchange } from '../../recording/recorded-exchange.ts';
import { scrubExchange } from '../../recording/scrub.ts';

/** A request in the form in which recordings store it. */
type RecordedRequest = RecordedExchange['request'];

const MAX_REDIRECTS = 5;

/** A client that responds from a recording. */
export interface ReplayedSource extends SourceClient {
  /** Requests without a response in the recording, such as `GET https://…`. */
  readonly unanswered: readonly string[];
}

/**
 * Creates a client that responds from recorded exchanges. A request gets the next response to the same request, or else
 * the next one to the same method and path, because a request can contain times, random values and masked secrets. Each
 * response is used once, except the last one for its path.
 */
export function replayedSource(exchanges: readonly RecordedExchange[]): ReplayedSource {
  const unused = new Set(exchanges);
  const unanswered: string[] = [];
  const responseTo = (method: string, url: string, body: unknown): RecordedExchange['response'] => {
    const request = scrubbed({ method, url, headers: {}, body });
    const samePath = exchanges.filter((exchange) => pathOf(exchange.request) === pathOf(request));
    const rest = samePath.filter((exchange) => unused.has(exchange));
    const match = rest.find((exchange) => isSame(exchange.request, request)) ?? rest[0] ?? samePath.at(-1);
    if (match === undefined) {
      unanswered.push(`${method} ${request.url}`);
      throw new MillraceError('connection_error', `The recording has no response to ${method} ${request.url}.`);
    }
    unused.delete(match);
    return match.response;
  };
  const send = async (method: string, url: string, body: unknown, follow = true): Promise<SourceResponse> => {
    let address = url;
    let response = responseTo(method, url, body);
    for (let redirects = 0; follow && redirects < MAX_REDIRECTS; redirects += 1) {
      const [location] = response.headers.location ?? [];
      if (location === undefined || response.status < 300 || response.status > 399) break;
      address = location;
      response = responseTo('GET', address, null);
    }
    const { status, headers, body: content } = response;
    return { status, headers: plainHeaders(headers), url: address, text: textOf(content) };
  };
  return {
    unanswered,
    get: (url, options) => send('GET', url, null, options?.followRedirects),
    post: (url, body, options) =>
      send('POST', url, body instanceof URLSearchParams ? body.toString() : body, options?.followRedirects),
  };
}

function scrubbed(request: RecordedRequest): RecordedRequest {
  const response = { status: 200, headers: {}, body: null };
  return scrubExchange({ source: { date: '' }, request, response }).request;
}

function pathOf({ method, url }: RecordedRequest): string {
  const { origin, pathname } = new URL(url);
  return `${method} ${origin}${pathname}`;
}

function isSame(a: RecordedRequest, b: RecordedRequest): boolean {
  return a.url === b.url && JSON.stringify(a.body) === JSON.stringify(b.body);
}

function plainHeaders(headers: RecordedExchange['response']['headers']): SourceResponse['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, values]) => [name, name === 'set-cookie' ? values : values.join(', ')]),
  );
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}
