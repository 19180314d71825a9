import { MillraceError } from '../../contract/errors.ts';
import { type Fields, flag, text } from '../../parsing/values.ts';
import type { ExtractionContext, SourceClient, SourceResponse } from '../platform.ts';
import { parseSiteUrl } from '../site-urls.ts';
import { addUnread, UnreadResponseError, unreadIn, unreadResponse } from '../unread.ts';
import { isSiteHost } from './links.ts';
import { readMeta, readOembed, readPage, readResource } from './parse/api-response.ts';
import type { PinMedia } from './parse/media.ts';
import { hasMember, member } from './parse/member.ts';
import { mergePartial } from './parse/merge-partial.ts';
import { pinMedia } from './parse/pin-media.ts';
import { type Strategy, strategies } from './parse/pin-metadata.ts';
import { lacksStory } from './parse/story.ts';
import { type ResourceVariation, requestOembed, requestPage, requestResource, SITE } from './requests.ts';
import type { Site } from './site.ts';

/** A pin in the site's format, its media, and the strategy that found it. */
interface PinResult extends PinMedia {
  readonly pin: Fields;
  readonly strategy: Strategy;
  /** What is missing and may be found later, for the caller. Absent for a complete pin. */
  readonly notes?: readonly string[];
}

/** A pin that a strategy found. */
interface FoundPin {
  readonly pin: Fields;
  /** What is missing, as in {@link PinResult}. */
  readonly notes?: readonly string[];
}

/** Maximum number of requests for a page, which sometimes arrives without its data. */
const PAGE_TRIES = 2;

/** What a preview lacks. */
const preview = {
  notes: ['The site sent only a preview of the pin, so pages, sizes and counts may be missing. Try again.'],
};

/**
 * Finds a pin: in the JSON interface, else in its page's data, else in the page's head or in oEmbed.
 *
 * @throws MillraceError the first definite failure; without one, the first retryable failure.
 */
export async function findPin(pinId: string, site: Site, context: ExtractionContext): Promise<PinResult> {
  const failures: MillraceError[] = [];
  const chain = createStrategies(pinId, site, context);
  for (const strategy of strategies.filter((name) => name === (context.strategy ?? name))) {
    try {
      const found = await chain[strategy]();
      if (found === undefined) continue;
      const media = usableMedia(found);
      // If a part is missing, it matters to the caller what the other strategies could not read.
      const unread = found.notes === undefined ? undefined : unreadIn(failures);
      return { ...found, ...media, unread: addUnread(media.unread, unread), strategy };
    } catch (error) {
      if (!(error instanceof MillraceError) || context.signal.aborted) throw error;
      failures.push(error);
      if (!mayBeKnownElsewhere(error, strategy)) throw mostTelling(failures);
    }
  }
  throw mostTelling(failures);
}

/** Returns the strategies by name. One that has nothing to read returns undefined. */
function createStrategies(
  pinId: string,
  site: Site,
  { source, strategy }: ExtractionContext,
): Readonly<Record<Strategy, () => Promise<FoundPin | undefined>>> {
  let arrivedPage: SourceResponse | undefined;
  return {
    resource: () => fetchResource(source, site, pinId),
    async page() {
      for (let tries = 0; tries < PAGE_TRIES; tries += 1) {
        const response = await requestPage(source, site, pinId);
        if (response.status === 200) arrivedPage = response;
        // Only a page that arrived without its data is requested again, not one that was refused.
        const pin = readPage(response, pinId);
        if (pin !== undefined) return { pin };
      }
      return emptyShell();
    },
    async page_meta() {
      const response = arrivedPage ?? (strategy === 'page_meta' ? await requestPage(source, site, pinId) : undefined);
      return response && { pin: readMeta(response, pinId) ?? emptyShell(), ...preview };
    },
    async oembed() {
      return { pin: readOembed(await requestOembed(source, site, pinId), pinId), ...preview };
    },
  };
}

/** Requests the JSON interface, on the regional host if the site redirects to one. */
async function fetchResource(source: SourceClient, site: Site, pinId: string): Promise<FoundPin> {
  const request = (variation: ResourceVariation) => requestResource(source, site, pinId, variation);
  let response = await request({});
  const { origin, hostname = '' } = parseSiteUrl(response.url) ?? {};
  const isRegional = origin !== undefined && origin !== SITE && isSiteHost(hostname);
  // After a redirect to another host, the header that the interface requires is not sent. The request is therefore
  // repeated there.
  if (isRegional) response = await request({ origin });
  const pin = readResource(response);
  if (!lacksItems(pin)) return { pin };
  try {
    const detailed = readResource(await request({ detailed: true, ...(isRegional ? { origin } : {}) }));
    return { pin: mergePartial(pin, detailed) };
  } catch (error) {
    // Not fatal: only further pages or videos are missing.
    if (!(error instanceof MillraceError)) throw error;
    const missing = lacksStory(pin)
      ? 'The pages of the story are missing'
      : 'Videos or pages of the pin may be missing';
    return { pin, notes: [`${missing}: ${error.message}`] };
  }
}

/** Returns whether a response may lack items of the pin: it names a story without its pages, or mentions no items. */
function lacksItems(pin: Fields): boolean {
  if (member(pin, 'story_pin_data') !== undefined) return false;
  if (text(member(pin, 'story_pin_data_id')) !== undefined) return true;
  return !['story_pin_data', 'carousel_data', 'videos'].some((name) => hasMember(pin, name));
}

/**
 * Returns the media of a pin, if the pin can be used.
 *
 * @throws MillraceError `unavailable` for a pin that is hidden or has no media, `not_found` for a deleted story;
 * UnreadResponseError if its media cannot be read.
 */
function usableMedia({ pin, notes }: FoundPin): PinMedia {
  if (flag(member(pin, 'is_hidden')) === true) throw new MillraceError('unavailable', 'The pin is hidden.');
  if (flag(member(pin, 'is_unsafe')) === true) {
    throw new MillraceError('unavailable', 'The site withholds this pin because it is marked as unsafe.');
  }
  const media = pinMedia(pin);
  const missingStory = notes === undefined && lacksStory(pin) ? { story_pin_data: 1 } : undefined;
  const unread = addUnread(media.unread, missingStory);
  if (media.contents.length > 0) return { ...media, unread };
  if (flag(member(pin, 'story_pin_data', 'is_deleted')) === true) {
    throw new MillraceError('not_found', 'The pin was deleted.');
  }
  if (Object.keys(unread).length > 0 || !statesMedia(pin)) {
    const kinds = Object.keys(unread).length > 0 ? unread : { pin: 1 };
    throw unreadResponse('Pinterest returned the media of the pin', kinds);
  }
  throw new MillraceError('unavailable', 'The pin has no image or video, or they are not available yet.', {
    retryable: true,
  });
}

/** Returns whether a pin has the members that contain its media, even if they are empty. */
function statesMedia(pin: Fields): boolean {
  return ['images', 'videos', 'story_pin_data'].some((name) => hasMember(pin, name));
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
  const unread = failures.find((failure) => failure instanceof UnreadResponseError);
  const failure = last?.retryable === false ? last : (unread ?? failures.find(({ retryable }) => retryable) ?? last);
  if (failure === undefined) return new MillraceError('non_2xx_response', 'The site did not respond. Try again.');
  const others = failures.filter((other) => other !== failure);
  if (others.length === 0 || failure === unread) return failure;
  return new MillraceError(failure.code, failure.message, {
    cause: new AggregateError([failure, ...others]),
    retryable: failure.retryable,
    ...(failure.reason === undefined ? {} : { reason: failure.reason }),
  });
}

function emptyShell(): never {
  throw new MillraceError('non_2xx_response', "The site returned a page without the pin's data. Try again.");
}
