import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { renderableFormatsParameter } from '../../../contract/parameters.ts';
import type { Endpoint, Extraction } from '../../platform.ts';
import {
  type Asking,
  askPages,
  bothHosts,
  type Found,
  type ReadPage,
  type Steps,
  startAsking,
  viaWeb,
} from '../ask-page.ts';
import { SITE } from '../links.ts';
import type { Wanted } from '../parse/find-story.ts';
import { type Post, readPost } from '../parse/post.ts';
import { readRawVideo } from '../parse/raw-video.ts';
import { resolveLink } from '../resolve-link.ts';
import type { AskedSite } from '../site.ts';
import { urlParameter } from './url-parameter.ts';

/** Formats that the contract names for this platform. */
const formats = ['144p', '240p', '360p', '480p', '720p', '1080p'] as const;

/** The media and metadata of a post, photo, video or reel. */
export function postDetails(site: AskedSite): Endpoint {
  return {
    path: '/post/details',
    summary: 'Media and metadata of a post, photo, video or reel',
    parameters: Type.Object({
      url: urlParameter('https://www.facebook.com/reel/770000000000001'),
      renderableFormats: Type.Optional(
        renderableFormatsParameter(
          formats,
          `Qualities to prepare renders for: lowres, midres, highres, all, all_highres, ${formats.join(', ')}.`,
        ),
      ),
    }),
    credits: 1,
    contents: true,
    returns: ['additionalData'],
    renderables: { matches: (label, format) => label === format, audio: false },
    async extract({ url }, context): Promise<Extraction> {
      const asking = startAsking(context, site, 'post');
      const { link, page } = await resolveLink(url, asking);
      if (link.kind === 'profile') {
        throw new MillraceError(
          'invalid_url',
          'url leads to a profile; this endpoint reads posts, photos and videos.',
          {
            parameter: 'url',
          },
        );
      }
      const shown = page === undefined ? undefined : read(link, page);
      const { value, source } = shown === undefined ? await ask(link, asking) : { value: shown, source: 'short link' };
      const { additionalData, ...metadata } = value.metadata;
      return { contents: value.contents, metadata: { ...metadata, additionalData: { ...additionalData, source } } };
    },
  };
}

function ask(wanted: Wanted, asking: Asking): Promise<Found<Post>> {
  return askPages(stepsOf(wanted), (page) => read(wanted, page), asking);
}

/** What a page tells of the wanted thing: in its answers, else in its text. */
function read(wanted: Wanted, { page, records, html }: ReadPage): Post | undefined {
  return readPost(wanted, page, records) ?? (wanted.kind === 'video' ? readRawVideo(wanted.id, page, html) : undefined);
}

function stepsOf({ kind, id, url }: Wanted): Steps {
  if (kind !== 'video') return bothHosts(kind, url);
  const embedded = new URLSearchParams({ href: `${SITE}/watch/?v=${id}`, show_text: 'false' });
  return [
    { name: 'reel', url },
    { name: 'watch', url: `${SITE}/watch/?v=${id}` },
    { name: 'reel, web host', url: viaWeb(url), whenWalled: true },
    { name: 'embed', url: `${SITE}/plugins/video.php?${embedded}`, whenWalled: true },
  ];
}
