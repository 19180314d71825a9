import type { Faults } from './faults.ts';
import type { ByteRange } from './range.ts';

/** Result of the faults for a request. */
export type Verdict =
  | { readonly do: 'hang' }
  | { readonly do: 'refuse'; readonly status: number; readonly retryAfter?: number }
  | { readonly do: 'redirect'; readonly status: number; readonly location: string }
  | { readonly do: 'serve' };

/** Properties of a request that the faults depend on. */
export interface MediaRequest {
  readonly url: URL;
  /** Requested range; undefined for the whole file. */
  readonly range: ByteRange | undefined;
  /** Number of the request within its token and path, from 1. */
  readonly number: number;
  /** Milliseconds since the token's first request. */
  readonly age: number;
}

/** Decides the response to a request before any byte is sent. */
export function judge(faults: Faults, { url, range, number, age }: MediaRequest): Verdict {
  if (faults.hang) return { do: 'hang' };
  if (faults.status !== undefined && number <= (faults.times ?? Number.POSITIVE_INFINITY)) {
    const { status, retryAfter } = faults;
    return { do: 'refuse', status, ...(retryAfter === undefined ? {} : { retryAfter }) };
  }
  const location = redirectLocation(faults, url);
  if (location !== undefined) return { do: 'redirect', status: faults.redirectStatus ?? 302, location };
  const tooFar = faults.denyFrom !== undefined && range !== undefined && range.last >= faults.denyFrom;
  const tooLate = faults.denyAfter !== undefined && age >= faults.denyAfter;
  return tooFar || tooLate ? { do: 'refuse', status: faults.deny ?? 403 } : { do: 'serve' };
}

/**
 * Returns the next redirect target: the same link with one redirect fewer (as a path, or on another host). When no
 * redirects are left, the target is `redirectTo`, if given.
 */
function redirectLocation(faults: Faults, url: URL): string | undefined {
  const { redirect, redirectTo, redirectHost, redirectLoop } = faults;
  if (redirectLoop) return `${url.pathname}${url.search}`;
  if (redirect === undefined && redirectTo === undefined && redirectHost === undefined) return undefined;
  const redirectsLeft = (redirect ?? 1) - 1;
  if (redirectsLeft === 0 && redirectTo !== undefined) return redirectTo;
  const next = new URL(url);
  next.searchParams.delete('redirect');
  if (redirectsLeft > 0) next.searchParams.set('redirect', `${redirectsLeft}`);
  else next.searchParams.delete('redirectHost');
  const path = `${next.pathname}${next.search}`;
  return redirectHost === undefined ? path : `https://${redirectHost}${path}`;
}
