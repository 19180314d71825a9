import { parseCount } from '../../../parsing/numbers.ts';
import { count, defined, dig, type Fields, flag, list, text, unlessEmpty } from '../../../parsing/values.ts';
import { shortUrl, videoUrl } from './ids.ts';
import { readText } from './text.ts';
import type { WatchPage } from './watch/watch-page.ts';

const MAX_TEXTS = 500;

/** Returns the part of a WEB player's response that is intended for search engines. */
export function readMicroformat(response: Fields): unknown {
  return dig(response, 'microformat', 'playerMicroformatRenderer');
}

/** Reads the video's type, address and duration. */
export function readKind(videoDetails: unknown, microformat: unknown, id: string) {
  const isShort = dig(microformat, 'isShortsEligible') === true;
  const type = dig(videoDetails, 'isLive') === true ? 'live' : isShort ? 'short' : 'video';
  const seconds = count(dig(videoDetails, 'lengthSeconds')) ?? count(dig(microformat, 'lengthSeconds'));
  return { type, url: isShort ? shortUrl(id) : videoUrl(id), isShort, ...defined({ duration: seconds || undefined }) };
}

/** Reads the texts by the video's author and the site, in the caller's language if available. */
export function readTextFields(videoDetails: unknown, microformat: unknown, translation: Fields) {
  return defined({
    description: firstText(
      dig(translation, 'videoDetails', 'shortDescription'),
      dig(videoDetails, 'shortDescription'),
      dig(microformat, 'description'),
    ),
    keywords: unlessEmpty(readStrings(dig(videoDetails, 'keywords'))),
    category: firstText(dig(readMicroformat(translation), 'category'), dig(microformat, 'category')),
    musicVideoType: text(dig(videoDetails, 'musicVideoType')),
  });
}

/** Reads the publication dates, in ISO 8601 and as the site's texts. */
export function readTimes(microformat: unknown, { dateText, relativeDateText }: WatchPage) {
  return defined({
    publishedAt: isoOf(dig(microformat, 'publishDate')),
    uploadedAt: isoOf(dig(microformat, 'uploadDate')),
    dateText,
    publishedText: relativeDateText,
  });
}

/**
 * Reads whether and when the video is or was live.
 *
 * @param streams `streamingData` of the player.
 * @param scheduledAt Start time of an upcoming video.
 */
export function readLive(
  videoDetails: unknown,
  microformat: unknown,
  streams: unknown,
  scheduledAt: string | undefined,
) {
  const broadcast = dig(microformat, 'liveBroadcastDetails');
  const isLive = dig(videoDetails, 'isLive') === true;
  const isUpcoming = dig(videoDetails, 'isUpcoming') === true;
  const start = isoOf(dig(broadcast, 'startTimestamp'));
  const begins = isUpcoming || scheduledAt !== undefined;
  const live = defined({
    scheduledAt: begins ? (scheduledAt ?? start) : undefined,
    startedAt: begins ? undefined : start,
    endedAt: isoOf(dig(broadcast, 'endTimestamp')),
    hlsManifestUrl: isLive ? text(dig(streams, 'hlsManifestUrl')) : undefined,
    dashManifestUrl: isLive ? text(dig(streams, 'dashManifestUrl')) : undefined,
  });
  const isLiveContent = flag(dig(videoDetails, 'isLiveContent')) ?? broadcast !== undefined;
  return {
    isLive,
    isUpcoming: begins,
    isLiveContent,
    ...(Object.keys(live).length > 0 ? { live } : {}),
  };
}

/**
 * Reads exact numbers if the site provides them, and its own texts. The page of a live video counts current viewers.
 */
export function readStatistics(videoDetails: unknown, microformat: unknown, page: WatchPage) {
  const { viewCountText, likes, comments } = page;
  const watching = page.isLive || /\b(?:watching|waiting)\b/.test(viewCountText ?? '');
  const views = count(dig(videoDetails, 'viewCount')) ?? count(dig(microformat, 'viewCount'));
  return {
    ...defined({
      viewCount: views ?? (watching ? undefined : parseCount(viewCountText)),
      viewCountText: watching ? undefined : viewCountText,
      viewerCount: watching ? parseCount(viewCountText) : undefined,
      viewerCountText: watching ? viewCountText : undefined,
    }),
    ...likes,
    ...defined({ likeCount: likes.likeCount ?? count(dig(microformat, 'likeCount')) }),
    ...comments,
  };
}

/** Reads what the site permits for the video. */
export function readFlags(videoDetails: unknown, microformat: unknown) {
  return defined({
    isFamilySafe: flag(dig(microformat, 'isFamilySafe')),
    isUnlisted: flag(dig(microformat, 'isUnlisted')),
    allowRatings: flag(dig(videoDetails, 'allowRatings')),
    isEmbeddable: dig(microformat, 'embed') === undefined ? undefined : true,
  });
}

/** Returns the first non-empty text. */
export function firstText(...nodes: readonly unknown[]): string | undefined {
  for (const node of nodes) {
    const words = readText(node);
    if (words !== undefined) return words;
  }
  return undefined;
}

/** Returns the texts in a list. */
export function readStrings(value: unknown): readonly string[] {
  return list(value)
    .slice(0, MAX_TEXTS)
    .flatMap((entry) => text(entry) ?? []);
}

/** Reads a date, or an instant with a UTC offset, which the site writes in ISO 8601. */
function isoOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 40) return undefined;
  return /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/.test(value) ? value : undefined;
}
