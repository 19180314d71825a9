import { MillraceError } from '../../contract/errors.ts';
import type { ExtractionContext, SourceAnswer } from '../platform.ts';
import { type Page, readPage } from './parse/page.ts';
import { type Records, readRecords } from './parse/records.ts';
import { askedTooOften, readRefusal } from './parse/refusal.ts';
import { requestPage } from './requests.ts';
import type { AskedSite } from './site.ts';

/** One address where an answer may be found. */
export interface Step {
  /** How it is called in `additionalData.source`. */
  readonly name: string;
  readonly url: string;
  /** Asked only where an earlier step met a wall or no answer. */
  readonly whenWalled?: boolean;
}

/** Addresses in the order in which they are asked; the first one names the thing that is asked for. */
export type Steps = readonly [Step, ...Step[]];

/** A page of the site as it was read. */
export interface ReadPage {
  readonly page: Page;
  readonly records: Records;
  readonly html: string;
}

/** What was found, and where. */
export interface Found<T> extends ReadPage {
  readonly value: T;
  readonly source: string;
}

/** Milliseconds for one request to the site, and for all of an extraction; the contract gives it 25 s. */
const STEP_MS = 8_000;
const ALL_MS = 24_000;

/** Less than this is not worth a request. */
const LEAST_MS = 500;

/** What an extraction asks pages with. */
export interface Asking {
  readonly context: ExtractionContext;
  readonly site: AskedSite;
  readonly what: 'post' | 'profile';
  /** When the extraction must be over, on the clock of `performance`. */
  readonly deadline: number;
}

/** Begins an extraction. */
export function startAsking(context: ExtractionContext, site: AskedSite, what: Asking['what']): Asking {
  return { context, site, what, deadline: performance.now() + ALL_MS };
}

/**
 * Whole milliseconds that the next request may take.
 *
 * @throws MillraceError `operation_timeout` where hardly any are left.
 */
export function timeLeft({ deadline }: Asking): number {
  const left = deadline - performance.now();
  if (left < LEAST_MS) throw late();
  return Math.min(STEP_MS, Math.floor(left));
}

function late(): MillraceError {
  return new MillraceError('operation_timeout', 'Facebook took too long to answer. Try again.');
}

/**
 * Asks one address after another until one has what is wanted.
 *
 * @param read Reads what is wanted from a page; undefined where the page is about something else.
 * @throws MillraceError what the steps were answered with: gone before absent, before a wall, before no answer. A wall
 *   is `non_2xx_response` where it is for asking too often, else `signin_required`.
 */
export async function askPages<T>(
  steps: Steps,
  read: (page: ReadPage) => T | undefined,
  asking: Asking,
): Promise<Found<T>> {
  const { walls } = asking.site;
  const [{ name: route, url: address }] = steps;
  const failures: Failure[] = [];
  for (const step of steps) {
    const walled = failures.some(({ kind }) => kind === 'wall' || kind === 'failure');
    if (step.whenWalled === true && !walled) continue;
    const answer = await ask(step.url, asking);
    if ('error' in answer) {
      failures.push(answer);
      continue;
    }
    const value = read(answer);
    if (value !== undefined) {
      walls.passed(route, address);
      return { ...answer, value, source: step.name };
    }
    failures.push(withoutIt(answer, asking.what));
  }
  const failure = chosen(failures);
  if (failure === undefined) throw late();
  const errors = failures.map(({ error }) => error);
  throw withCauses(failure.kind === 'wall' && walls.met(route, address) ? askedTooOften() : failure.error, errors);
}

interface Failure {
  readonly kind: 'wall' | 'gone' | 'failure' | 'absent';
  readonly error: MillraceError;
}

/** Asks for a page and reads it, or tells why there is none. */
async function ask(url: string, asking: Asking): Promise<ReadPage | Failure> {
  const { context, site, what } = asking;
  let answer: SourceAnswer;
  try {
    answer = await requestPage(context.source, url, site.userAgent, timeLeft(asking));
  } catch (error) {
    if (!(error instanceof MillraceError) || context.signal.aborted) throw error;
    return { kind: 'failure', error };
  }
  return readRefusal(answer, what) ?? readAnswer(answer);
}

/** Reads a page that is no refusal. */
export function readAnswer({ text: html }: Pick<SourceAnswer, 'text'>): ReadPage {
  const page = readPage(html);
  return { page, records: readRecords(page.results), html };
}

/** What a page means that is no refusal and does not hold what is wanted. */
function withoutIt({ page, html }: ReadPage, what: Asking['what']): Failure {
  if (page.results.length === 0) {
    return { kind: 'failure', error: new MillraceError('non_2xx_response', 'Facebook answered with an empty page.') };
  }
  if (!html.slice(-2000).includes('</html>')) {
    return { kind: 'failure', error: new MillraceError('invalid_response_data', "Facebook's page ended too early.") };
  }
  const message = `Facebook's page does not hold the ${what} that the link is about.`;
  return { kind: 'absent', error: new MillraceError('not_found', message) };
}

function chosen(failures: readonly Failure[]): Failure | undefined {
  const kinds = ['gone', 'absent', 'wall', 'failure'] as const;
  return kinds
    .map((kind) => failures.find((failure) => failure.kind === kind))
    .find((failure) => failure !== undefined);
}

function withCauses(
  { code, message, reason, retryable }: MillraceError,
  causes: readonly MillraceError[],
): MillraceError {
  const told = { retryable, ...(reason === undefined ? {} : { reason }) };
  return new MillraceError(code, message, { ...told, cause: new AggregateError(causes) });
}

/** One address, and where it is walled the same at the other host. */
export function bothHosts(name: string, url: string): Steps {
  return [
    { name, url },
    { name: `${name}, web host`, url: viaWeb(url), whenWalled: true },
  ];
}

/** The same address at the host that the site sends some visitors to; it answers where the main one is closed. */
export function viaWeb(url: string): string {
  const other = new URL(url);
  other.hostname = 'web.facebook.com';
  return `${other.href}${other.search === '' ? '?' : '&'}_rdc=1&_rdr`;
}
