import Type from 'typebox';
import { countryCodeParameter, renderableFormatsParameter } from '../../../contract/parameters.ts';
import { defineEndpoint } from '../../define-endpoint.ts';
import type { Endpoint } from '../../platform.ts';
import { findPost } from '../find/post.ts';
import { mediaContent } from '../parse/content.ts';
import { postMetadata } from '../parse/post-metadata.ts';
import type { OpenRequests } from '../requests.ts';
import { shortcodeOf } from './parameters.ts';
import { matchesVariant, variants } from './variants.ts';

/** The media and metadata of a post: one content for each picture or video, in order. */
export function postDetails(open: OpenRequests): Endpoint {
  return defineEndpoint({
    path: '/media/post/details',
    summary: 'Media and metadata of a post, reel or carousel',
    parameters: Type.Object({
      shortcode: Type.String({
        description: 'Code in the address of the post, or the link itself.',
        examples: ['lab-reel-30'],
      }),
      renderableFormats: Type.Optional(
        renderableFormatsParameter(
          variants,
          `Qualities to prepare renders for: lowres, midres, highres, all, all_highres, or ${variants.join(', ')}.`,
        ),
      ),
      countryCode: Type.Optional(countryCodeParameter),
    }),
    credits: 1,
    contents: true,
    returns: ['additionalData'],
    renderables: { matches: matchesVariant, audio: false },
    async extract({ shortcode }, context) {
      const requests = open(context);
      const code = await shortcodeOf(shortcode, requests);
      const { post, source } = await findPost(code, requests, context.signal);
      const parts = post.media.map(mediaContent);
      const notes = parts.flatMap(({ note }) => note ?? []);
      const cover = parts.find(({ content }) => content.images !== undefined)?.content.images?.[0]?.item.url;
      return {
        contents: parts.map(({ content }) => content),
        metadata: postMetadata(post, source, cover),
        ...(notes.length === 0 ? {} : { notes }),
      };
    },
  });
}
