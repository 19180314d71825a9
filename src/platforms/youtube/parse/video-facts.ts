import { parseCount } from '../../../parsing/numbers.ts';
import { count, defined, dig, type Fields, flag, list, text, unlessEmpty } from '../../../parsing/values.ts';
import { shortUrl, videoUrl } from './ids.ts';
import { plain } from './text.ts';
import type { WatchPage } from './watch/watch-page.ts';

const MAX_TEXTS = 500;

/** The part of a WEB player's answer that search engines are given. */
export function microformat(answer: Fields): unknown {
  return dig(answer, 'microformat', 'playerMicroformatRenderer');
}

/** What kind of video it is, where it stands and how long it takes. */
export function readKind(facts: unknown, format: unknown, id: string) {
  const isShort = dig(format, 'isShortsEligible') === true;
  const type = dig(facts, 'isLive') === true ? 'live' : isShort ? 'short' : 'video';
  const seconds = count(dig(facts, 'lengthSeconds')) ?? count(dig(format, 'lengthSeconds'));
  return { type, url: isShort ? shortUrl(id) : videoUrl(id), isShort, ...defined({ duration: seconds || undefined }) };
}

/** Texts of its maker and of the site, in the caller's language where they were had in it. */
export function readTexts(facts: unknown, format: unknown, localised: Fields) {
  return defined({
    description: firstText(
      dig(localised, 'videoDetails', 'shortDescription'),
      dig(facts, 'shortDescription'),
      dig(format, 'description'),
    ),
    keywords: unlessEmpty(texts(dig(facts, 'keywords'))),
    category: firstText(dig(microformat(localised), 'category'), dig(format, 'category')),
    musicVideoType: text(dig(facts, 'musicVideoType')),
  });
}

/** When it came out, in ISO 8601 and in the site's words. */
export function readTimes(format: unknown, { dateText, relativeDateText }: WatchPage) {
  return defined({
    publishedAt: isoOf(dig(format, 'publishDate')),
    uploadedAt: isoOf(dig(format, 'uploadDate')),
    dateText,
    publishedText: relativeDateText,
  });
}

/**
 * Whether and when it is or was live.
 *
 * @param streams `streamingData` of the player.
 * @param scheduledAt When what is not on air yet begins.
 */
export function readLive(facts: unknown, format: unknown, streams: unknown, scheduledAt: string | undefined) {
  const details = dig(format, 'liveBroadcastDetails');
  const isLive = dig(facts, 'isLive') === true;
  const isUpcoming = dig(facts, 'isUpcoming') === true;
  const start = isoOf(dig(details, 'startTimestamp'));
  const begins = isUpcoming || scheduledAt !== undefined;
  const live = defined({
    scheduledAt: begins ? (scheduledAt ?? start) : undefined,
    startedAt: begins ? undefined : start,
    endedAt: isoOf(dig(details, 'endTimestamp')),
    hlsManifestUrl: isLive ? text(dig(streams, 'hlsManifestUrl')) : undefined,
    dashManifestUrl: isLive ? text(dig(streams, 'dashManifestUrl')) : undefined,
  });
  const isLiveContent = flag(dig(facts, 'isLiveContent')) ?? details !== undefined;
  return {
    isLive,
    isUpcoming: begins,
    isLiveContent,
    ...(Object.keys(live).length > 0 ? { live } : {}),
  };
}

/** Exact numbers where the site gives them, beside its own words. While a video is live its page counts viewers. */
export function readStatistics(facts: unknown, format: unknown, page: WatchPage) {
  const { viewCountText, likes, comments } = page;
  const watching = page.isLive || /\b(?:watching|waiting)\b/.test(viewCountText ?? '');
  const views = count(dig(facts, 'viewCount')) ?? count(dig(format, 'viewCount'));
  return {
    ...defined({
      viewCount: views ?? (watching ? undefined : parseCount(viewCountText)),
      viewCountText: watching ? undefined : viewCountText,
      viewerCount: watching ? parseCount(viewCountText) : undefined,
      viewerCountText: watching ? viewCountText : undefined,
    }),
    ...likes,
    ...defined({ likeCount: likes.likeCount ?? count(dig(format, 'likeCount')) }),
    ...comments,
  };
}

/** What the site lets be done with it. */
export function readFlags(facts: unknown, format: unknown) {
  return defined({
    isFamilySafe: flag(dig(format, 'isFamilySafe')),
    isUnlisted: flag(dig(format, 'isUnlisted')),
    allowRatings: flag(dig(facts, 'allowRatings')),
    isEmbeddable: dig(format, 'embed') === undefined ? undefined : true,
  });
}

/** The words of the first of some texts that has any. */
export function firstText(...nodes: readonly unknown[]): string | undefined {
  for (const node of nodes) {
    const words = plain(node);
    if (words !== undefined) return words;
  }
  return undefined;
}

/** The texts in a list. */
export function texts(value: unknown): readonly string[] {
  return list(value)
    .slice(0, MAX_TEXTS)
    .flatMap((entry) => text(entry) ?? []);
}

/** A date, or an instant with its place's distance from UTC, as the site writes them in ISO 8601. */
function isoOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 40) return undefined;
  return /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/.test(value) ? value : undefined;
}
