import { defined, parseJson } from '../../../parsing/values.ts';
import { cleanLink } from './clean-link.ts';
import type { Page } from './page.ts';
import { readPicture } from './pictures.ts';
import type { Post } from './post.ts';
import { titleOfPage } from './post-metadata.ts';
import { readRecords } from './records.ts';
import { videoContent } from './video.ts';

const namedLink = /"(browser_native_[hs]d_url|[hs]d_src)":("https:[^"\s]{1,4000}")/g;

/**
 * Returns the video of a page whose query results could not be read. Uses the links in the page's text (embedded
 * players have `hd_src`, others `browser_native_hd_url`) and the page's properties. Returns undefined if the page is
 * about another video.
 */
export function readRawVideo(id: string, page: Page, html: string): Post | undefined {
  const { properties, canonical } = page;
  const address = properties.get('og:url') ?? canonical;
  const about = address?.includes(id) === true || html.includes(`"video_id":"${id}"`);
  if (!about) return undefined;
  const links = linksIn(html);
  const cover = readPicture(properties.get('og:image'));
  const content = videoContent([{ ...links, id, thumbnailImage: cover?.url }], readRecords([]));
  if (content?.videos === undefined) return undefined;
  return {
    contents: [content],
    metadata: defined({
      title: titleOfPage(page) ?? properties.get('og:description'),
      thumbnailUrl: cover?.url,
      additionalData: defined({ videoId: id, url: cleanLink(address), caption: properties.get('og:description') }),
    }),
  };
}

/** Returns the first link of each name. */
function linksIn(html: string): Readonly<Record<string, string>> {
  const links = new Map<string, string>();
  for (const [, name = '', literal = ''] of html.matchAll(namedLink)) {
    if (links.has(name)) continue;
    const link = parseJson(literal);
    if (typeof link === 'string') links.set(name, link);
  }
  return Object.fromEntries(links);
}
