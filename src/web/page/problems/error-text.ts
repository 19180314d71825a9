import { MillraceApiError, MillraceNetworkError, MillraceRenderError } from '#client/index.ts';
import { platformNames } from '../common/platform-names.ts';
import { listText } from '../language/format.ts';
import { isolate } from '../language/isolate.ts';
import { messages } from '../language/language.ts';
import type { Messages } from '../language/messages.ts';
import type { ProblemText } from '../language/problem-text.ts';
import { byName, countryFactsOf, countryName } from './countries.ts';

/** The description of an error for people. */
export interface ErrorText extends ProblemText {
  /** What the site or the service says about this case, in its own words. */
  readonly quote?: string;
  /** Whether the same request can be sent again. */
  readonly retryable: boolean;
  /** Seconds to wait before sending it again, if the service reports them. */
  readonly retryAfter?: number;
}

/** An error of the page itself, which has a text in every language. */
export class PageError extends Error {
  override readonly name = 'PageError';
  readonly problem: 'missingChannel';

  constructor(problem: PageError['problem']) {
    super(problem);
    this.problem = problem;
  }
}

/** Codes whose messages state what the code alone does not tell. */
const specificCodes: ReadonlySet<string> = new Set([
  'unavailable',
  'signin_required',
  'blocked',
  'source_unsupported',
  'input_too_large',
  'clip_out_of_range',
  'size_unreachable',
]);

/** From this wait on, a limit is not about the pace of requests, but about their number a day. */
const LONG_WAIT_S = 600;

/** Match the service's messages about content that is unavailable (`src/platforms`). */
const countryPattern = /not available in the country/i;
const privatePattern = /\bis private\b|visible only to its author|password-protected/i;
const paidPattern = /members or buyers/i;

/** Matches what sites say about content that existed. */
const removedPattern = /\b(?:removed|deleted|terminated|closed)\b/i;

/** Describes an error to the person who sees it. */
export function describeError(error: unknown, online = navigator.onLine): ErrorText {
  if (error instanceof MillraceApiError) return describeApiError(error);
  const { problem } = messages();
  if (error instanceof MillraceRenderError) return describeRenderError(error);
  if (error instanceof PageError) return { ...problem[error.problem], retryable: false };
  if (!online) return { ...problem.offline, retryable: true };
  if (error instanceof MillraceNetworkError) {
    // Whatever redirects the page's requests, or changes the responses, responds in place of the service.
    const fault = error.fault === 'redirected' || error.fault === 'malformed' ? 'unreadable' : error.fault;
    return { ...problem.network[fault], retryable: error.retryable };
  }
  const { title, advice } = problem.unexpected;
  return { title, text: error instanceof Error ? error.message : String(error), advice, retryable: true };
}

/**
 * Describes the reason why a file could not be made.
 *
 * @param code A code of the error catalogue. Codes of newer versions of the service get a general text.
 */
export function describeFailure(code: string | undefined): ProblemText {
  const { codes } = messages().problem;
  return codes[code !== undefined && isKnown(code) ? code : 'other'];
}

function describeRenderError({ code, message, retryable }: MillraceRenderError): ErrorText {
  const quote = specificCodes.has(code) ? { quote: messages().problem.serviceSays(isolate(message)) } : {};
  return { ...describeFailure(code), ...quote, retryable };
}

function describeApiError(error: MillraceApiError): ErrorText {
  const { code, message, reason, retryable, retryAfter } = error;
  const quote = reason ?? (specificCodes.has(code) ? message : undefined);
  return {
    ...specialText(error),
    ...(quote === undefined ? {} : { quote: quoteText(error, quote) }),
    retryable,
    ...(retryAfter === undefined ? {} : { retryAfter: Math.ceil(retryAfter) }),
  };
}

/** Whether content is available in other countries only. */
export function isCountryLocked({ code, message, detail }: MillraceApiError): boolean {
  const { allowed, denied, usable } = countryFactsOf(detail);
  return (allowed ?? denied ?? usable) !== undefined || (code === 'unavailable' && countryPattern.test(message));
}

/** Tells kinds of unavailable content apart, by the messages of the service. */
function unavailableText({ code, message, retryable }: MillraceApiError): ProblemText | undefined {
  if (code !== 'unavailable') return undefined;
  const { notYet, private: hidden, paid } = messages().problem.unavailable;
  if (retryable) return notYet;
  if (privatePattern.test(message)) return hidden;
  return paidPattern.test(message) ? paid : undefined;
}

/** Describes an error that depends on the country. */
function countryText(error: MillraceApiError): ProblemText | undefined {
  const { detail } = error;
  const { allowed, denied, usable } = countryFactsOf(detail);
  const { country: texts, codes } = messages().problem;
  if (usable !== undefined) {
    const { title } = codes.unsupported_proxy_for_geo_targeting;
    return { title, text: usable.length === 0 ? texts.noneUsable : texts.usable(namesText(usable)) };
  }
  const { title, text } = texts;
  if (allowed !== undefined) return { title, text: placesText(allowed, texts.allowed, texts.allowedCount) };
  if (denied !== undefined) return { title, text: placesText(denied, texts.denied, texts.deniedCount) };
  return isCountryLocked(error) ? { title, text } : undefined;
}

/** Above this number, names are hard to read. */
const MAX_NAMED = 8;

function placesText(
  codes: readonly string[],
  named: (countries: string) => string,
  counted: (count: number) => string,
): string {
  return codes.length > MAX_NAMED ? counted(codes.length) : named(namesText(codes));
}

function namesText(codes: readonly string[]): string {
  return listText(byName(codes).map(countryName));
}

/** Returns the text of an error whose code alone does not tell what people need to know, or else that of its code. */
function specialText(error: MillraceApiError): ProblemText {
  const { code, retryAfter = 0 } = error;
  if (code === 'rate_limited' && retryAfter >= LONG_WAIT_S) return messages().problem.dayLimit;
  if (isRemoved(error)) return removedText(error);
  return countryText(error) ?? unavailableText(error) ?? describeFailure(code);
}

function isKnown(code: string): code is keyof Messages['problem']['codes'] {
  return Object.hasOwn(messages().problem.codes, code);
}

function isRemoved({ code, reason = '' }: MillraceApiError): boolean {
  return code === 'not_found' && removedPattern.test(reason);
}

function removedText({ request }: MillraceApiError): ProblemText {
  const { text, ...titles } = messages().problem.removed;
  const [, kind] = /\/(video|post)\/details$/.exec(request.url) ?? [];
  return { title: kind === 'video' || kind === 'post' ? titles[kind] : titles.other, text };
}

function quoteText({ reason, request }: MillraceApiError, words: string): string {
  const { problem } = messages();
  const site = reason === undefined ? undefined : siteOf(request.url);
  return site === undefined ? problem.serviceSays(isolate(words)) : problem.siteSays(site, isolate(words));
}

/** Returns the name of the platform that a request is about. */
function siteOf(url: string): string | undefined {
  const [, id] = /\/(p\d+)\/v3\//.exec(url) ?? [];
  return Object.entries(platformNames).find(([platform]) => platform === id)?.[1];
}
