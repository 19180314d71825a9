import { parseUrl } from '../../../../src/contract/parse-url.ts';
import { MillraceNetworkError, type RequestFacts } from '../errors.ts';

/** Maximum redirects of a request. */
const MAX_REDIRECTS = 5;

/**
 * Headers that any server may see. A request with another header, with a body, or that may change something, is meant
 * for one origin only.
 */
const publicHeaders: ReadonlySet<string> = new Set(['accept', 'range', 'if-range']);

/** Statuses that redirect (Fetch standard, "redirect status"). */
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A request, as fetch takes it. */
export interface FetchInit {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/**
 * Sends a request, and follows redirects. Fetch itself would repeat all headers except for `Authorization` at any other
 * origin. A request with keys or a body, or that is not a GET, stays within its origin. A GET with public headers only
 * may lead anywhere, as that of a file in the service's store does.
 *
 * @throws MillraceNetworkError with the fault `redirected`; errors of fetch.
 */
export async function fetchFollowing(
  fetchFn: typeof fetch,
  url: URL,
  init: FetchInit,
  facts: RequestFacts,
): Promise<Response> {
  const hasPublicHeaders = Object.keys(init.headers).every((name) => publicHeaders.has(name));
  if (init.method === 'GET' && init.body === undefined && hasPublicHeaders) return await fetchFn(url, init);
  let target = url;
  let request = init;
  for (let redirects = 0; ; redirects += 1) {
    const response = await fetchFn(target, { ...request, redirect: 'manual' });
    const next = targetOf(response, target);
    if (next === undefined) return response;
    // Its body is not needed; a failure to cancel it changes nothing.
    response.body?.cancel().catch(() => undefined);
    if (typeof next === 'string' || next.origin !== url.origin) {
      throw new MillraceNetworkError('redirected', elsewhereMessage(url, next), facts);
    }
    if (redirects === MAX_REDIRECTS) {
      const message = `${facts.url} redirects more than ${MAX_REDIRECTS} times. Check the address of the service.`;
      throw new MillraceNetworkError('redirected', message, facts);
    }
    request = repeated(request, response.status);
    target = next;
  }
}

/** Returns where a response redirects to: undefined for no redirect, and a text if that cannot be requested. */
function targetOf(response: Response, from: URL): URL | string | undefined {
  // Browsers hide where a redirect leads from scripts.
  if (response.type === 'opaqueredirect') return 'another address';
  const location = redirectStatuses.has(response.status) ? response.headers.get('location') : null;
  if (location === null) return undefined;
  const target = parseUrl(location, from);
  if (target === null) return 'an invalid address';
  return target.username === '' && target.password === '' ? target : 'an address with a user name';
}

function elsewhereMessage({ origin }: URL, target: URL | string): string {
  const place = typeof target === 'string' ? target : placeOf(target);
  return (
    `${origin} redirects to ${place}, where keys and jobs of ${origin} are not sent. If the service has moved, set its ` +
    'new address.'
  );
}

/** Returns the origin of a URL. Those of other schemes than http and https are opaque. */
function placeOf({ origin, protocol }: URL): string {
  return origin === 'null' ? `a ${protocol} address` : origin.slice(0, 300);
}

/** Returns the request that follows a redirect (Fetch standard, "HTTP-redirect fetch"). */
function repeated(request: FetchInit, status: number): FetchInit {
  const { method } = request;
  const becomesGet = status === 303 ? method !== 'GET' : method === 'POST' && (status === 301 || status === 302);
  if (!becomesGet) return request;
  const { body: _, headers, signal } = request;
  return {
    method: 'GET',
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-type')),
    signal,
  };
}
