import { plainText } from '../../../parsing/plain-text.ts';
import { count, defined, dig, type Fields, fields, isFields, list, text } from '../../../parsing/values.ts';
import { parseSiteUrl } from '../../site-urls.ts';
import { objectsBehind } from './embedded-json.ts';

const MAX_TAGS = 200;
const MAX_TAG = 5_000;

/**
 * Reads the machine-readable head of a page, in the format of the JSON interface: one image, the video file, names.
 * Returns undefined if it has neither image nor video.
 */
export function pinInMeta(html: string, pinId: string): Fields | undefined {
  const tags = metaTags(html);
  const things = linkedData(html);
  const posting = things.find((thing) => thing['@type'] === 'SocialMediaPosting');
  const video = things.find((thing) => thing['@type'] === 'VideoObject');
  const [original, preview] = [text(posting?.image), tags.get('og:image')];
  if (original === undefined && preview === undefined && video?.contentUrl === undefined) return undefined;
  const author = fields(posting?.author);
  return {
    id: pinId,
    title: text(posting?.headline) ?? text(video?.name) ?? tags.get('og:title'),
    description: tags.get('og:description') ?? text(posting?.articleBody),
    created_at: posting?.datePublished ?? video?.uploadDate,
    pinner: { full_name: author.name, username: author.alternateName ?? lastSegment(author.url) },
    native_creator: { full_name: dig(video, 'creator', 'name'), username: lastSegment(dig(video, 'creator', 'url')) },
    images: {
      orig: { url: original },
      '736x': { url: preview, width: count(tags.get('og:image:width')), height: count(tags.get('og:image:height')) },
    },
    ...(video === undefined ? {} : { videos: { video_list: { V_MP4: videoEntry(video) } } }),
  };
}

function videoEntry(video: Fields): Fields {
  return defined({
    url: video.contentUrl,
    thumbnail: video.thumbnailUrl,
    width: pixelsOf(video.width),
    height: pixelsOf(video.height),
    duration: milliseconds(video.duration),
  });
}

/** Returns the objects in `application/ld+json` scripts. */
function linkedData(html: string): Fields[] {
  return objectsBehind(html, 'application/ld+json', 20).flatMap(({ value }) => [
    fields(value),
    ...list(fields(value)['@graph']).filter(isFields).slice(0, 20),
  ]);
}

/** Returns the page's meta tags by name, whatever the order of their attributes. */
function metaTags(html: string): ReadonlyMap<string, string> {
  const tags = new Map<string, string>();
  let at = html.indexOf('<meta ');
  for (let tagCount = 0; at >= 0 && tagCount < MAX_TAGS; tagCount += 1) {
    const [tag = ''] = html.slice(at, at + MAX_TAG).split('>', 1);
    const name = / (?:property|name)="([^"]+)"/.exec(tag)?.[1];
    const content = text(plainText(/ content="([^"]*)"/.exec(tag)?.[1] ?? '', MAX_TAG));
    if (name !== undefined && content !== undefined && !tags.has(name)) tags.set(name, content);
    at = html.indexOf('<meta ', at + 1);
  }
  return tags;
}

/** Reads `720 px`. */
function pixelsOf(value: unknown): number | undefined {
  return count(/^(\d{1,5})(?: ?px)?$/.exec(text(value) ?? '')?.[1]);
}

/** Reads `PT1M10S`. */
function milliseconds(value: unknown): number | undefined {
  const duration = /^PT(?:(\d{1,3})H)?(?:(\d{1,3})M)?(?:(\d{1,5})S)?$/.exec(text(value) ?? '');
  if (duration === null) return undefined;
  const [hours, minutes, seconds] = duration.slice(1).map((part) => Number(part ?? 0));
  return (((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1000;
}

/** Returns the username at the end of a profile's address. */
export function lastSegment(address: unknown): string | undefined {
  const path = typeof address === 'string' ? parseSiteUrl(address)?.pathname : undefined;
  return text(path?.split('/').findLast((part) => part !== ''));
}
