import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { langParameter, nextTokenParameter } from '../../../contract/parameters.ts';
import { defineEndpoint } from '../../define-endpoint.ts';
import { readHashtagInfo } from '../parse/hashtag-info.ts';
import { readLocalisedPage, skippedNotes } from '../parse/localised-page.ts';
import { encodedMessage, message } from '../requests/protobuf.ts';
import type { MakeEndpoint } from './make-endpoint.ts';

const WHAT_TAGS_ARE = 'The hashtag, with or without # and in any case, of 100 characters at most and without spaces.';

/** The videos under a hashtag. */
export const hashtag: MakeEndpoint = (openInnertube) =>
  defineEndpoint({
    path: '/hashtag',
    summary: 'Videos under a hashtag',
    parameters: Type.Object({
      tag: Type.String({ maxLength: 600, description: WHAT_TAGS_ARE, examples: ['lab'] }),
      nextToken: Type.Optional(nextTokenParameter),
      lang: Type.Optional(langParameter),
    }),
    credits: 1,
    contents: false,
    returns: ['hashtag.contents', 'hashtag.nextToken'],
    async extract(parameters, context) {
      const { pages } = context;
      const tag = normalTag(parameters.tag);
      const page = await openInnertube(parameters, context).requestLocalised(
        'browse',
        pages.cursor === undefined
          ? { browseId: 'FEhashtag', params: encodedMessage([93, message([1, tag], [3, 1])]) }
          : { continuation: pages.cursor },
      );
      if (pages.cursor === undefined && page.answer.contents === undefined) {
        throw new MillraceError('invalid_response_data', 'YouTube answered with no page of this hashtag. Try again.');
      }
      const { items, continuation, messages, ...rest } = readLocalisedPage(page);
      return {
        metadata: {
          hashtag: { tag, ...readHashtagInfo(page.answer), contents: items, nextToken: pages.token(continuation) },
        },
        notes: [...messages, ...skippedNotes(rest)],
      };
    },
  });

/**
 * The tag as YouTube keeps it: lower case, without `#`. It may come encoded once more than the query was.
 *
 * @throws MillraceError `invalid_params` for what is no tag.
 */
function normalTag(given: string): string {
  const tag = decoded(given).trim().replace(/^#/, '').toLowerCase();
  if (/^[^\s\p{Cc}\p{Cs}#/?&]{1,100}$/u.test(tag)) return tag;
  throw new MillraceError('invalid_params', `tag cannot be "${given.slice(0, 80)}". ${WHAT_TAGS_ARE}`, {
    parameter: 'tag',
  });
}

function decoded(text: string): string {
  if (!/%[\da-f]{2}/i.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch (error) {
    // What only looks encoded is judged as it stands.
    if (error instanceof URIError) return text;
    throw error;
  }
}
