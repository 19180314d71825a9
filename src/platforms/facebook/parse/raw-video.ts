import { defined } from '../../../parsing/values.ts';
import { parseSiteJson } from '../../reading.ts';
import type { UnreadKinds } from '../../unread.ts';
import { cleanLink } from './clean-link.ts';
import type { Page } from './page.ts';
import { isAbout } from './page-subject.ts';
import { readPicture } from './pictures.ts';
import type { Post } from './post.ts';
import { titleOfPage } from './post-metadata.ts';
import { readRecords } from './records.ts';
import { videoContent } from './video.ts';

const namedLink = /"(browser_native_[hs]d_url|[hs]d_src)":("https:[^"\s]{1,4000}")/g;
const videoId = /"(?:video_id|id)":"(\d{5,25})"/;

/** Maximum number of links that are read, and the maximum distance of a video's ID from its links, in characters. */
const MAX_LINKS = 100;
const MAX_DISTANCE = 200_000;

/**
 * Returns the video of a page whose query results could not be read. Uses the links in the page's text (embedded
 * players have `hd_src`, others `browser_native_hd_url`) and the page's properties. Returns undefined if the page is
 * about another video.
 *
 * @param unread The parts of the page that could not be read.
 */
export function readRawVideo(id: string, page: Page, html: string, unread: UnreadKinds): Post | undefined {
  const { properties, canonical } = page;
  const links = linksOf(id, isAbout({ id }, page), html);
  if (Object.keys(links).length === 0) return undefined;
  const cover = readPicture(properties.get('og:image'));
  const content = videoContent([{ ...links, id, thumbnailImage: cover?.url }], readRecords([]));
  if (content?.videos === undefined) return undefined;
  return {
    contents: [{ ...content, subjects: { items: [id] } }],
    metadata: defined({
      title: titleOfPage(properties) ?? properties.get('og:description'),
      thumbnailUrl: cover?.url,
      additionalData: defined({
        videoId: id,
        url: cleanLink(properties.get('og:url') ?? canonical),
        caption: properties.get('og:description'),
      }),
    }),
    unread,
  };
}

/** A file in the data of a player. */
const fileLink = /":"https:[^"\s?]{1,1000}\.mp4[?"]/g;

/**
 * Returns whether a page without query results has the data of the video's player. A page that arrived without its data
 * has none.
 */
export function hasPlayer(id: string, { results, hasResults, isComplete }: Page, html: string): boolean {
  if (!isComplete || hasResults || results.length > 0 || !html.includes(`"${id}"`)) return false;
  const files = [...html.matchAll(fileLink).take(MAX_LINKS)];
  const objectAround = createObjectFinder(html);
  return files.some(({ index }) => (videoId.exec(objectAround(index))?.[1] ?? id) === id);
}

/**
 * Returns the links of a video, the first of each name. A link belongs to the video whose ID is in the same object. If
 * that object has no ID, the link belongs to the subject of the page.
 */
function linksOf(id: string, isSubject: boolean, html: string): Readonly<Record<string, string>> {
  const links = new Map<string, string>();
  const objectAround = createObjectFinder(html);
  let seen = 0;
  for (const { 1: name = '', 2: literal = '', index } of html.matchAll(namedLink)) {
    seen += 1;
    if (seen > MAX_LINKS) break;
    const owner = videoId.exec(objectAround(index))?.[1];
    if (links.has(name) || (owner === undefined ? !isSubject : owner !== id)) continue;
    const link = parseSiteJson(literal);
    if (typeof link === 'string') links.set(name, link);
  }
  return Object.fromEntries(links);
}

/**
 * Creates a function that returns the text of the innermost object around a position, as far as it contains no other
 * object. Positions in the same object need only one search.
 */
function createObjectFinder(html: string): (index: number) => string {
  let from = 0;
  let end = 0;
  return (index) => {
    if (index < from || index >= end) {
      const before = html.slice(Math.max(index - MAX_DISTANCE, 0), index);
      const after = html.slice(index, index + MAX_DISTANCE);
      const ends = [after.indexOf('}'), after.indexOf('{')].filter((at) => at >= 0);
      from = index - before.length + Math.max(before.lastIndexOf('{'), before.lastIndexOf('}'), 0);
      end = index + Math.min(...ends, after.length);
    }
    return html.slice(from, end);
  };
}
