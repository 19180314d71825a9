import { MillraceError } from '../../contract/errors.ts';
import { type Fields, flag, text } from '../../parsing/values.ts';
import type { ExtractionContext, SourceClient, SourceResponse } from '../platform.ts';
import { isSiteHost } from './links.ts';
import { readMeta, readOembed, readPage, readResource } from './parse/api-response.ts';
import { hasMember, member } from './parse/member.ts';
import { mergePartial } from './parse/merge-partial.ts';
import { pinContents } from './parse/pin-contents.ts';
import type { Strategy } from './parse/pin-metadata.ts';
import { type ResourceVariation, requestOembed, requestPage, requestResource, SITE } from './requests.ts';
import type { Site } from './site.ts';

/** A pin in the site's format, and the strategy that found it. */
interface PinResult {
  readonly pin: Fields;
  readonly strategy: Strategy;
}

/** Maximum number of requests for a page, which sometimes arrives without its data. */
const PAGE_TRIES = 2;

/**
 * Finds a pin: in the JSON interface, else in its page's data, else in the page's head or in oEmbed.
 *
 * @throws MillraceError the first definite failure; without one, the first retryable failure.
 */
export async function findPin(pinId: string, site: Site, context: ExtractionContext): Promise<PinResult> {
  const { source } = context;
  const failures: MillraceError[] = [];
  let shell: SourceResponse | undefined;
  const fromPage = async () => {
    const response = await requestPage(source, site, pinId);
    const pin = readPage(response, pinId);
    if (pin === undefined) shell = response;
    return pin ?? emptyShell();
  };
  const strategies: [Strategy, () => Fields | Promise<Fields>][] = [
    ['resource', () => fetchResource(source, site, pinId)],
    ...Array.from({ length: PAGE_TRIES }, (): [Strategy, () => Promise<Fields>] => ['page', fromPage]),
    ['page_meta', () => (shell && readMeta(shell, pinId)) ?? emptyShell()],
    ['oembed', async () => readOembed(await requestOembed(source, site, pinId), pinId)],
  ];
  for (const [strategy, request] of strategies) {
    // Only a page that arrived without its data is requested again, not one that was refused.
    if ((strategy === 'page' || strategy === 'page_meta') && failures.length > 1 && shell === undefined) continue;
    try {
      return { pin: usable(await request()), strategy };
    } catch (error) {
      if (!(error instanceof MillraceError) || context.signal.aborted) throw error;
      failures.push(error);
      if (!mayBeKnownElsewhere(error, strategy)) throw mostTelling(failures);
    }
  }
  throw mostTelling(failures);
}

/** Requests the JSON interface, on the regional host if the site redirects to one. */
async function fetchResource(source: SourceClient, site: Site, pinId: string): Promise<Fields> {
  const request = (variation: ResourceVariation) => requestResource(source, site, pinId, variation);
  let response = await request({});
  const { origin, hostname = '' } = URL.parse(response.url) ?? {};
  const isRegional = origin !== undefined && origin !== SITE && isSiteHost(hostname);
  // After a redirect to another host, the header that the interface requires is not sent. The request is therefore
  // repeated there.
  if (isRegional) response = await request({ origin });
  const pin = readResource(response);
  if (!lacksItems(pin)) return pin;
  try {
    return mergePartial(pin, readResource(await request({ detailed: true, ...(isRegional ? { origin } : {}) })));
  } catch (error) {
    // Not fatal: only the further pages are missing.
    if (!(error instanceof MillraceError)) throw error;
    return pin;
  }
}

/** Returns whether a response may lack items of the pin: it names a story without its pages, or mentions no items. */
function lacksItems(pin: Fields): boolean {
  if (member(pin, 'story_pin_data') !== undefined) return false;
  if (text(member(pin, 'story_pin_data_id')) !== undefined) return true;
  return !['story_pin_data', 'carousel_data', 'videos'].some((name) => hasMember(pin, name));
}

/**
 * Returns the pin if it can be used.
 *
 * @throws MillraceError `unavailable` for a pin that is hidden or has no media, `not_found` for a deleted story.
 */
function usable(pin: Fields): Fields {
  if (flag(member(pin, 'is_hidden')) === true) throw new MillraceError('unavailable', 'The pin is hidden.');
  if (flag(member(pin, 'is_unsafe')) === true) {
    throw new MillraceError('unavailable', 'The site withholds this pin because it is marked as unsafe.');
  }
  if (pinContents(pin).length > 0) return pin;
  if (flag(member(pin, 'story_pin_data', 'is_deleted')) === true) {
    throw new MillraceError('not_found', 'The pin was deleted.');
  }
  throw new MillraceError('unavailable', 'The pin has no image or video, or they are not available yet.', {
    retryable: true,
  });
}

/**
 * Returns whether the next strategy may succeed. Only the JSON interface may require a sign-in when other strategies do
 * not.
 */
function mayBeKnownElsewhere(error: MillraceError, strategy: Strategy): boolean {
  return error.retryable || (error.code === 'signin_required' && strategy === 'resource');
}

function mostTelling(failures: readonly MillraceError[]): MillraceError {
  const last = failures.at(-1);
  const failure = last?.retryable === false ? last : (failures.find(({ retryable }) => retryable) ?? last);
  if (failure === undefined) return new MillraceError('non_2xx_response', 'The site did not respond. Try again.');
  const others = failures.filter((other) => other !== failure);
  if (others.length === 0) return failure;
  return new MillraceError(failure.code, failure.message, {
    cause: new AggregateError([failure, ...others]),
    retryable: failure.retryable,
    ...(failure.reason === undefined ? {} : { reason: failure.reason }),
  });
}

function emptyShell(): never {
  throw new MillraceError('non_2xx_response', "The site returned a page without the pin's data. Try again.");
}
