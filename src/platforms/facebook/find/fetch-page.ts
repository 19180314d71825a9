import { MillraceError } from '../../../contract/errors.ts';
import type { ExtractionContext, SourceResponse } from '../../platform.ts';
import { type Page, readPage } from '../parse/page.ts';
import { type Records, readRecords } from '../parse/records.ts';
import { rateLimitError, readRefusal } from '../parse/refusal.ts';
import { requestPage } from '../requests.ts';
import type { Site } from '../site.ts';
import type { SignInWalls } from './sign-in-walls.ts';

/** State that the extractions of one service share: the site and its recorded sign-in walls. */
export interface SiteAccess {
  readonly site: Site;
  readonly signInWalls: SignInWalls;
}

/** An address whose page may contain the value. */
export interface Strategy {
  /** Its name in `additionalData.source`. */
  readonly name: string;
  readonly url: string;
  /** Whether it is requested only after a sign-in wall or a failure. */
  readonly onlyAfterFailure?: boolean;
}

/** A fallback chain: addresses in the order of requests. The first is the canonical address. */
export type Strategies = readonly [Strategy, ...Strategy[]];

/** A parsed page of the site. */
export interface ParsedPage {
  readonly page: Page;
  readonly records: Records;
  readonly html: string;
}

/** A page with the value that the caller looks for, and its strategy's name. */
export interface PageWithValue<T> extends ParsedPage {
  readonly value: T;
  readonly source: string;
}

/** Maximum milliseconds for one request to the site, and for a whole extraction. The contract allows 25 s. */
const STEP_MS = 8_000;
const ALL_MS = 24_000;

/** Minimum milliseconds for a request. With less time left, none is sent. */
const LEAST_MS = 500;

/** One extraction: its context, the site, and its target. */
export interface Lookup extends SiteAccess {
  readonly context: ExtractionContext;
  readonly target: 'post' | 'profile';
  /** When the extraction must end, on the `performance` clock. */
  readonly deadline: number;
}

/** Starts an extraction's deadline. */
export function startLookup(context: ExtractionContext, access: SiteAccess, target: Lookup['target']): Lookup {
  return { ...access, context, target, deadline: performance.now() + ALL_MS };
}

/**
 * Returns the whole milliseconds that the next request may take.
 *
 * @throws MillraceError `operation_timeout` if hardly any are left.
 */
export function timeLeft({ deadline }: Lookup): number {
  const remaining = deadline - performance.now();
  if (remaining < LEAST_MS) throw late();
  return Math.min(STEP_MS, Math.floor(remaining));
}

function late(): MillraceError {
  return new MillraceError('operation_timeout', 'Facebook took too long to respond. Try again.');
}

/**
 * Requests one address after another until a page has the value.
 *
 * @param read Reads the value from a page. Returns undefined if the page is about something else.
 * @throws MillraceError the most specific failure, in this order: gone, absent, sign-in wall, no response. A sign-in
 * wall becomes `non_2xx_response` if it is a rate limit, else `signin_required`.
 */
export async function fetchPages<T>(
  strategies: Strategies,
  read: (page: ParsedPage) => T | undefined,
  lookup: Lookup,
): Promise<PageWithValue<T>> {
  const { signInWalls } = lookup;
  const [{ name: kind, url: address }] = strategies;
  const failures: Failure[] = [];
  for (const strategy of strategies) {
    const failed = failures.some(({ kind }) => kind === 'sign-in wall' || kind === 'failure');
    if (strategy.onlyAfterFailure === true && !failed) continue;
    const outcome = await fetchPage(strategy.url, lookup);
    if ('error' in outcome) {
      failures.push(outcome);
      continue;
    }
    const value = read(outcome);
    if (value !== undefined) {
      signInWalls.recordPage(kind, address);
      return { ...outcome, value, source: strategy.name };
    }
    failures.push(withoutValue(outcome, lookup.target));
  }
  const failure = mostTelling(failures);
  if (failure === undefined) throw late();
  const errors = failures.map(({ error }) => error);
  throw withCauses(
    failure.kind === 'sign-in wall' && signInWalls.recordWall(kind, address) ? rateLimitError() : failure.error,
    errors,
  );
}

interface Failure {
  readonly kind: 'sign-in wall' | 'gone' | 'failure' | 'absent';
  readonly error: MillraceError;
}

/** Requests a page and parses it. Returns a failure if the site refuses it. */
async function fetchPage(url: string, lookup: Lookup): Promise<ParsedPage | Failure> {
  const { context, site, target } = lookup;
  let response: SourceResponse;
  try {
    response = await requestPage(context.source, url, site.userAgent, timeLeft(lookup));
  } catch (error) {
    if (!(error instanceof MillraceError) || context.signal.aborted) throw error;
    return { kind: 'failure', error };
  }
  return readRefusal(response, target) ?? parsePage(response);
}

/** Parses a page that is not a refusal. */
export function parsePage({ text: html }: Pick<SourceResponse, 'text'>): ParsedPage {
  const page = readPage(html);
  return { page, records: readRecords(page.results), html };
}

/** Returns the failure for a page that the site did not refuse but that lacks the value. */
function withoutValue({ page, html }: ParsedPage, target: Lookup['target']): Failure {
  if (page.results.length === 0) {
    return {
      kind: 'failure',
      error: new MillraceError('non_2xx_response', 'Facebook returned an empty page. Try again in a moment.'),
    };
  }
  if (!html.slice(-2000).includes('</html>')) {
    return {
      kind: 'failure',
      error: new MillraceError('invalid_response_data', 'Facebook returned a truncated page. Try again in a moment.'),
    };
  }
  const message = `Facebook's page does not contain the ${target} that the link leads to.`;
  return { kind: 'absent', error: new MillraceError('not_found', message) };
}

function mostTelling(failures: readonly Failure[]): Failure | undefined {
  const kinds = ['gone', 'absent', 'sign-in wall', 'failure'] as const;
  return kinds
    .map((kind) => failures.find((failure) => failure.kind === kind))
    .find((failure) => failure !== undefined);
}

function withCauses(
  { code, message, reason, retryable }: MillraceError,
  causes: readonly MillraceError[],
): MillraceError {
  const options = { retryable, ...(reason === undefined ? {} : { reason }) };
  return new MillraceError(code, message, { ...options, cause: new AggregateError(causes) });
}

/** Returns an address and, after a failure, the same address on the other host. */
export function bothHosts(name: string, url: string): Strategies {
  return [
    { name, url },
    { name: `${name}, web host`, url: viaWeb(url), onlyAfterFailure: true },
  ];
}

/**
 * Returns the same address on the host that the site redirects some visitors to. That host works when the main one is
 * behind a sign-in wall.
 */
export function viaWeb(url: string): string {
  const other = new URL(url);
  other.hostname = 'web.facebook.com';
  return `${other.href}${other.search === '' ? '?' : '&'}_rdc=1&_rdr`;
}
