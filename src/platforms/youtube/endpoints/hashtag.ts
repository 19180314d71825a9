import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { langParameter, nextTokenParameter } from '../../../contract/parameters.ts';
import { defineEndpoint } from '../../define-endpoint.ts';
import { readHashtagInfo } from '../parse/hashtag-info.ts';
import { readLocalisedPage, unknownKindNotes } from '../parse/localised-page.ts';
import { encodeMessage, encodeParams } from '../requests/protobuf.ts';
import type { EndpointFactory } from './endpoint-factory.ts';

const TAG_DESCRIPTION = 'Hashtag with or without #, case-insensitive: at most 100 characters without spaces.';

/** Creates the endpoint for the videos under a hashtag. */
export const hashtag: EndpointFactory = (openInnertube) =>
  defineEndpoint({
    path: '/hashtag',
    summary: 'Videos under a hashtag',
    parameters: Type.Object({
      tag: Type.String({ maxLength: 600, description: TAG_DESCRIPTION, examples: ['lab'] }),
      nextToken: Type.Optional(nextTokenParameter),
      lang: Type.Optional(langParameter),
    }),
    credits: 1,
    contents: false,
    returns: ['hashtag.contents', 'hashtag.nextToken'],
    async extract(parameters, context) {
      const { pages } = context;
      const tag = normaliseTag(parameters.tag);
      const page = await openInnertube(parameters, context).requestLocalised(
        'browse',
        pages.cursor === undefined
          ? { browseId: 'FEhashtag', params: encodeParams([93, encodeMessage([1, tag], [3, 1])]) }
          : { continuation: pages.cursor },
      );
      if (pages.cursor === undefined && page.response.contents === undefined) {
        throw new MillraceError('invalid_response_data', 'YouTube returned no page for this hashtag. Try again.');
      }
      const { items, continuation, messages, ...rest } = readLocalisedPage(page);
      return {
        metadata: {
          hashtag: { tag, ...readHashtagInfo(page.response), contents: items, nextToken: pages.token(continuation) },
        },
        notes: [...messages, ...unknownKindNotes(rest)],
      };
    },
  });

/**
 * Returns the tag as YouTube stores it: lower case, without `#`. Accepts a tag that was percent-encoded twice.
 *
 * @throws MillraceError `invalid_params` for an invalid tag.
 */
function normaliseTag(input: string): string {
  const tag = decode(input).trim().replace(/^#/, '').toLowerCase();
  if (/^[^\s\p{Cc}\p{Cs}#/?&]{1,100}$/u.test(tag)) return tag;
  throw new MillraceError('invalid_params', `tag cannot be "${input.slice(0, 80)}". ${TAG_DESCRIPTION}`, {
    parameter: 'tag',
  });
}

function decode(text: string): string {
  if (!/%[\da-f]{2}/i.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch (error) {
    // The text only looks percent-encoded, so it is used unchanged.
    if (error instanceof URIError) return text;
    throw error;
  }
}
