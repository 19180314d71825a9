import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { generalFormats, renderableFormatsParameter } from '../../../contract/parameters.ts';
import { renderParameters } from '../../../contract/render-parameters.ts';
import { defined, unlessEmpty } from '../../../parsing/values.ts';
import { defineEndpoint } from '../../define-endpoint.ts';
import { noteOnLesserStrategy } from '../../lesser-strategy.ts';
import type { Endpoint } from '../../platform.ts';
import { addUnread, type UnreadKinds, UnreadResponseError } from '../../unread.ts';
import type { SiteAccess } from '../find/fetch-page.ts';
import {
  bothHosts,
  fetchPages,
  type Lookup,
  type PageWithValue,
  type ParsedPage,
  type Strategies,
  startLookup,
  viaWeb,
} from '../find/fetch-page.ts';
import { readLink } from '../find/read-link.ts';
import { resolveLink } from '../find/resolve-link.ts';
import { subjectsOfUrl } from '../find/url-subjects.ts';
import { canonicalUrl, type PostTarget, SITE } from '../links.ts';
import { type Post, readPost } from '../parse/post.ts';
import { subjectsOfPost } from '../parse/post-subjects.ts';
import { hasPlayer, readRawVideo } from '../parse/raw-video.ts';
import { sourceCaptionsOf } from '../parse/source-captions.ts';
import { contentOperations, hasKnownPost, unreadError } from '../parse/unread-content.ts';
import { urlParameter } from './url-parameter.ts';

/** Formats that the contract lists for this platform. */
const formats = ['144p', '240p', '360p', '480p', '720p', '1080p'] as const;

/** Names of the addresses of a video. Posts and photos have one address, on both hosts. */
const videoStrategies = ['reel', 'watch', 'reel, web host', 'embed'] as const;
const [, , , embedded] = videoStrategies;

/** Creates the endpoint for the media and metadata of a post, photo, video or reel. */
export function postDetails(access: SiteAccess): Endpoint {
  return defineEndpoint({
    path: '/post/details',
    summary: 'Media and metadata of a post, photo, video or reel',
    parameters: Type.Object({
      url: urlParameter('https://www.facebook.com/reel/770000000000001'),
      renderableFormats: Type.Optional(
        renderableFormatsParameter(
          formats,
          `Qualities to prepare renders for: ${[...generalFormats, ...formats].join(', ')}.`,
        ),
      ),
      ...renderParameters,
    }),
    credits: 1,
    contents: true,
    returns: ['additionalData'],
    strategies: videoStrategies,
    renderables: { matches: (label, format) => label === format, audio: false },
    subjects: ({ url }) => subjectsOfUrl(url),
    canonical: ({ url }) => ({ url: canonicalUrl(readLink(url)) }),
    async extract({ url }, context) {
      const lookup = startLookup(context, access, 'post');
      const { link, page } = await resolveLink(url, lookup);
      if (link.kind === 'profile') {
        throw new MillraceError(
          'invalid_url',
          'url leads to a profile, but this endpoint reads posts, photos and videos.',
          {
            parameter: 'url',
          },
        );
      }
      // The page of a short link belongs to no strategy, so a probe of one strategy ignores it.
      const landingPost = page === undefined || context.strategy !== undefined ? undefined : readLanding(link, page);
      const { value, source, unread, failures } =
        landingPost === undefined
          ? await fetchPost(link, lookup)
          : { value: landingPost, source: 'short link', unread: {}, failures: [] };
      const { additionalData, ...metadata } = value.metadata;
      return {
        contents: value.contents,
        metadata: { ...metadata, additionalData: { ...additionalData, source } },
        subjects: subjectsOfPost(link, value),
        ...defined({ captions: unlessEmpty(sourceCaptionsOf(additionalData?.captions)) }),
        unread: addUnread(unread, value.unread),
        ...(source === embedded ? noteOnLesserStrategy(failures) : {}),
      };
    },
  });
}

function fetchPost(target: PostTarget, lookup: Lookup): Promise<PageWithValue<Post>> {
  return fetchPages(strategiesOf(target), (page) => read(target, page), lookup);
}

/** Reads the post from the page that a short link led to, which is not the only page that may have it. */
function readLanding(target: PostTarget, page: ParsedPage): Post | undefined {
  try {
    return read(target, page);
  } catch (error) {
    if (error instanceof UnreadResponseError) return undefined;
    throw error;
  }
}

/** Reads the post from a page's query results, or else from the page's text. */
function read(target: PostTarget, { page, records, html }: ParsedPage): Post | undefined {
  const readText = (unread: UnreadKinds) =>
    target.kind === 'video' ? readRawVideo(target.id, page, html, unread) : undefined;
  try {
    const post = readPost(target, page, records) ?? readText(hasKnownPost(records) ? {} : contentOperations(page));
    if (post === undefined && hasPlayer(target.id, page, html)) throw unreadError({ player: 1 });
    return post;
  } catch (error) {
    const post = error instanceof UnreadResponseError ? readText(error.unread) : undefined;
    if (post === undefined) throw error;
    return post;
  }
}

function strategiesOf({ kind, id, url }: PostTarget): Strategies {
  if (kind !== 'video') return bothHosts(kind, url);
  const query = new URLSearchParams({ href: `${SITE}/watch/?v=${id}`, show_text: 'false' });
  const [reel, watch, web] = videoStrategies;
  return [
    { name: reel, url },
    { name: watch, url: `${SITE}/watch/?v=${id}` },
    { name: web, url: viaWeb(url), onlyAfterFailure: true },
    { name: embedded, url: `${SITE}/plugins/video.php?${query}`, onlyAfterFailure: true },
  ];
}
