import { MillraceError } from '../../../contract/errors.ts';
import type { ExtractionContext, SourceResponse } from '../../platform.ts';
import { validSiteUrl } from '../../site-urls.ts';
import { SuspectedOutageError } from '../../suspected-outage.ts';
import { type UnreadKinds, UnreadResponseError, unreadIn } from '../../unread.ts';
import { type Page, readPage } from '../parse/page.ts';
import { type Records, readRecords } from '../parse/records.ts';
import { rateLimitError, readRefusal } from '../parse/refusal.ts';
import { hasKnownPost, unreadPage } from '../parse/unread-content.ts';
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
  /** The unknown parts of the pages that were requested before this one. */
  readonly unread: UnreadKinds;
  /** Why these pages do not have the value. */
  readonly failures: readonly MillraceError[];
}

/** Maximum milliseconds for one request to the site, and those that are left at the end of an extraction. */
const STEP_MS = 8_000;
const RESERVE_MS = 1_000;

/** Minimum milliseconds for a request. With less time left, none is sent. */
const LEAST_MS = 500;

/** One extraction: its context, the site, and its target. */
export interface Lookup extends SiteAccess {
  readonly context: ExtractionContext;
  readonly target: 'post' | 'profile';
}

/** Starts an extraction. */
export function startLookup(context: ExtractionContext, access: SiteAccess, target: Lookup['target']): Lookup {
  return { ...access, context, target };
}

/**
 * Returns the whole milliseconds that the next request may take.
 *
 * @throws MillraceError `operation_timeout` if hardly any are left.
 */
export function timeLeft({ context }: Lookup): number {
  const remaining = context.timeLeft() - RESERVE_MS;
  if (remaining < LEAST_MS) throw late();
  return Math.min(STEP_MS, Math.floor(remaining));
}

function late(): MillraceError {
  return new MillraceError('operation_timeout', 'Facebook took too long to respond. Try again.');
}

/**
 * Requests one address after another until a page has the value.
 *
 * @param read Reads the value from a page. Returns undefined if the page is about something else. After an
 * `UnreadResponseError` or `signin_required`, the next address is requested; other errors end the chain.
 * @throws MillraceError the most specific failure, in this order: gone, unread, absent, sign-in wall, for members only,
 * no response. A sign-in wall becomes `non_2xx_response` if it is a rate limit, else `signin_required`.
 */
export async function fetchPages<T>(
  strategies: Strategies,
  read: (page: ParsedPage) => T | undefined,
  lookup: Lookup,
): Promise<PageWithValue<T>> {
  const { signInWalls } = lookup;
  const [{ name: kind, url: address }] = strategies;
  const only = strategies.filter(({ name }) => name === lookup.context.strategy);
  const failures: Failure[] = [];
  for (const strategy of only.length > 0 ? only : strategies) {
    const failed = failures.some((failure) => temporary.has(failure.kind));
    if (strategy.onlyAfterFailure === true && !failed && only.length === 0) continue;
    const page = await fetchPage(strategy.url, lookup);
    const outcome = 'error' in page ? page : withValue(page, read, lookup.target);
    if ('error' in outcome) {
      failures.push(outcome);
      continue;
    }
    signInWalls.recordPage(kind, address);
    const errors = failures.map(({ error }) => error);
    return { ...outcome, source: strategy.name, unread: unreadIn(errors), failures: errors };
  }
  const failure = mostTelling(failures);
  if (failure === undefined) throw late();
  if (failure.error instanceof UnreadResponseError) throw failure.error;
  const errors = failures.map(({ error }) => error);
  // An address that was not answered may have what another one lacks.
  const isUnconfirmed = failure.kind === 'absent' && failures.some((other) => other.kind === 'failure');
  const meaning = failure.kind === 'sign-in wall' ? signInWalls.recordWall(kind, address) : 'members only';
  const error = meaning === 'members only' ? failure.error : rateLimitError();
  throw withCauses(error, errors, isUnconfirmed, meaning === 'suspected limit' ? SuspectedOutageError : MillraceError);
}

/** Kinds of failures, the most specific first. */
const failureKinds = ['gone', 'unread', 'absent', 'sign-in wall', 'members only', 'failure'] as const;

/** Failures after which the addresses for this case are requested. */
const temporary: ReadonlySet<Failure['kind']> = new Set(['unread', 'sign-in wall', 'failure'] as const);

interface Failure {
  readonly kind: (typeof failureKinds)[number];
  readonly error: MillraceError;
}

/** Reads the value from a page. Returns a failure if the page does not have it. */
function withValue<T>(
  page: ParsedPage,
  read: (page: ParsedPage) => T | undefined,
  target: Lookup['target'],
): (ParsedPage & { readonly value: T }) | Failure {
  try {
    const value = read(page);
    return value === undefined ? withoutValue(page, target) : { ...page, value };
  } catch (error) {
    if (error instanceof UnreadResponseError) return { kind: 'unread', error };
    if (error instanceof MillraceError && error.code === 'signin_required') return { kind: 'members only', error };
    throw error;
  }
}

/** Requests a page and parses it. Returns a failure if the site refuses it. */
async function fetchPage(url: string, lookup: Lookup): Promise<ParsedPage | Failure> {
  const { context, site, target } = lookup;
  let response: SourceResponse;
  try {
    response = await requestPage(context.source, url, site, timeLeft(lookup));
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
export function withoutValue({ page, records, html }: ParsedPage, target: Lookup['target']): Failure {
  const unread = hasKnownPost(records) ? undefined : unreadPage(page);
  if (unread !== undefined) return { kind: 'unread', error: unread };
  // A page that was cut off proves nothing, and so neither does the page of another address that lacks the value.
  const kind = page.isComplete || html === '' ? 'failure' : 'unread';
  if (page.results.length === 0) {
    return {
      kind,
      error: new MillraceError('non_2xx_response', 'Facebook returned an empty page. Try again in a moment.'),
    };
  }
  if (!page.isComplete) {
    return {
      kind,
      error: new MillraceError('invalid_response_data', 'Facebook returned a truncated page. Try again in a moment.'),
    };
  }
  const message = `Facebook's page does not contain the ${target} that the link leads to.`;
  return { kind: 'absent', error: new MillraceError('not_found', message) };
}

function mostTelling(failures: readonly Failure[]): Failure | undefined {
  return failureKinds
    .map((kind) => failures.find((failure) => failure.kind === kind))
    .find((failure) => failure !== undefined);
}

function withCauses(
  { code, message, reason, retryable }: MillraceError,
  causes: readonly MillraceError[],
  isUnconfirmed: boolean,
  ErrorClass: typeof MillraceError,
): MillraceError {
  const options = { retryable: retryable || isUnconfirmed, ...(reason === undefined ? {} : { reason }) };
  return new ErrorClass(code, message, { ...options, cause: new AggregateError(causes) });
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
  const other = validSiteUrl(url);
  other.hostname = 'web.facebook.com';
  return `${other.href}${other.search === '' ? '?' : '&'}_rdc=1&_rdr`;
}
