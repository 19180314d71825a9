import { defined, parseJson } from '../../values.ts';
import { cleanLink } from '../clean-link.ts';
import type { Page } from './page.ts';
import { readPicture } from './pictures.ts';
import type { Post } from './post.ts';
import { titleOfPage } from './post-metadata.ts';
import { readRecords } from './records.ts';
import { videoContent } from './video.ts';

const linkNames = ['browser_native_hd_url', 'browser_native_sd_url', 'hd_src', 'sd_src'] as const;

/**
 * The video of a page whose answers could not be read: the links in its text (embedded players write `hd_src`, others
 * `browser_native_hd_url`), and what its properties tell. Undefined where the page is about another video.
 */
export function readRawVideo(id: string, page: Page, html: string): Post | undefined {
  const { properties, canonical } = page;
  const address = properties.get('og:url') ?? canonical;
  const about = address?.includes(id) === true || html.includes(`"video_id":"${id}"`);
  if (!about) return undefined;
  const links = Object.fromEntries(linkNames.flatMap((name) => linkCalled(name, html)));
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

function linkCalled(name: string, html: string): [string, unknown][] {
  const written = new RegExp(`"${name}":("https:[^"\\s]{1,4000}")`).exec(html)?.[1];
  const link = written === undefined ? undefined : parseJson(written);
  return typeof link === 'string' ? [[name, link]] : [];
}
