import Type from 'typebox';
import { countryCodeParameter, generalFormats, renderableFormatsParameter } from '../../../contract/parameters.ts';
import { renderParameters } from '../../../contract/render-parameters.ts';
import { noSubjects } from '../../../contract/subjects.ts';
import { defined } from '../../../parsing/values.ts';
import { defineEndpoint } from '../../define-endpoint.ts';
import { noteOnLesserStrategy } from '../../lesser-strategy.ts';
import type { Endpoint } from '../../platform.ts';
import { noteOnOrder } from '../../profile-note.ts';
import { findPost } from '../find/post.ts';
import { mediaContent } from '../parse/content.ts';
import { partsOfMusic } from '../parse/music.ts';
import { postMetadata } from '../parse/post-metadata.ts';
import { soundMedia } from '../parse/sound-media.ts';
import type { OpenRequests } from '../requests.ts';
import type { Site } from '../site.ts';
import { canonicalPost, postIds, postsIn, shortcodeOf } from './parameters.ts';

/** Qualities that can be requested by name. */
const variants = ['144p', '240p', '360p', '480p', '720p', '1080p'] as const;

/** The parameter for the qualities of videos. */
export const variantsParameter = renderableFormatsParameter(
  variants,
  `Qualities to prepare renders for: ${generalFormats.join(', ')}, or ${variants.join(', ')}.`,
);

/**
 * Maximum relative difference between a video's shorter side and that of a quality. Videos of unusual aspect ratios
 * have shorter sides such as 478 or 1054 pixels.
 */
const TOLERANCE = 0.06;

/** Creates the endpoint for a post's media and metadata, with one content item per image or video, in order. */
export function postDetails(open: OpenRequests, site: Site): Endpoint {
  return defineEndpoint({
    path: '/media/post/details',
    summary: 'Media and metadata of a post, reel or carousel',
    parameters: Type.Object({
      shortcode: Type.String({
        description: "Shortcode in the post's URL, or a link to the post.",
        examples: ['lab-reel-30'],
      }),
      renderableFormats: Type.Optional(variantsParameter),
      ...renderParameters,
      countryCode: Type.Optional(countryCodeParameter),
    }),
    credits: 1,
    contents: true,
    returns: ['additionalData'],
    renderables: { matches: matchesVariant, audio: false },
    strategies: site.postSources,
    subjects: ({ shortcode }) => ({ items: postsIn(shortcode) }),
    canonical: ({ shortcode }) => ({ shortcode: canonicalPost(shortcode) }),
    async extract({ shortcode }, context) {
      const requests = open(context);
      const code = await shortcodeOf(shortcode, requests);
      const order = context.profileOrder(site.postSources);
      const { post, source, unread, failures } = await findPost(code, requests, order, context);
      const parts = post.media.map(mediaContent);
      const lesser = source === 'embed' ? noteOnLesserStrategy(failures) : {};
      const notes = [
        ...noteOnOrder(site.postSources, order, source),
        ...parts.flatMap(({ note }) => note ?? []),
        ...(lesser.notes ?? []),
      ];
      const cover = parts.find(({ content }) => content.images !== undefined)?.content.images?.[0]?.item.url;
      return {
        contents: parts.map(({ content }) => ({ ...content, subjects: noSubjects })),
        metadata: postMetadata(post, source, cover),
        // A short link names the post only here, and responses may lack the number.
        subjects: { items: postIds(code) },
        parts: partsOfMusic(post.music, ['additionalData', 'music']),
        ...defined({ sound: soundMedia(post.music) }),
        unread,
        profile: source,
        ...lesser,
        ...(notes.length === 0 ? {} : { notes }),
      };
    },
  });
}

/** Returns whether a video with this label has the requested quality. */
export function matchesVariant(label: string, format: string): boolean {
  if (label === format) return true;
  const [side, requested] = [label, format].map((text) => Number(/^(\d{1,5})p$/.exec(text)?.[1]));
  return side !== undefined && requested !== undefined && Math.abs(side - requested) <= requested * TOLERANCE;
}
