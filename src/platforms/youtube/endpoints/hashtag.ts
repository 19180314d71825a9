import Type from 'typebox';
import { langParameter, nextTokenParameter } from '../../../contract/parameters.ts';
import { noSubjects } from '../../../contract/subjects.ts';
import { defineEndpoint } from '../../define-endpoint.ts';
import { readHashtagInfo } from '../parse/hashtag-info.ts';
import { partsOfPosts } from '../parse/items/post-parts.ts';
import { readLocalisedPage } from '../parse/localised-page.ts';
import { encodeMessage, encodeParams } from '../requests/protobuf.ts';
import type { EndpointFactory } from './endpoint-factory.ts';
import { MAX_LINK_TEXT, readTag } from './link-parameters.ts';

const TAG_DESCRIPTION =
  'Hashtag with or without #, case-insensitive, of at most 100 characters without spaces, or a link to it.';

/** Creates the endpoint for the videos under a hashtag. */
export const hashtag: EndpointFactory = (openInnertube) =>
  defineEndpoint({
    path: '/hashtag',
    summary: 'Videos under a hashtag',
    parameters: Type.Object({
      tag: Type.String({ maxLength: MAX_LINK_TEXT, description: TAG_DESCRIPTION, examples: ['lab'] }),
      nextToken: Type.Optional(nextTokenParameter),
      lang: Type.Optional(langParameter),
    }),
    credits: 1,
    contents: false,
    returns: ['hashtag.contents', 'hashtag.nextToken'],
    subjects: () => noSubjects,
    async extract(parameters, context) {
      const { pages } = context;
      const tag = readTag(parameters.tag);
      const page = await openInnertube(parameters, context).requestLocalised(
        'browse',
        pages.cursor === undefined
          ? { browseId: 'FEhashtag', params: encodeParams([93, encodeMessage([1, tag], [3, 1])]) }
          : { continuation: pages.cursor },
      );
      const { items, continuation, messages, unread } = readLocalisedPage(page);
      return {
        metadata: {
          hashtag: {
            tag,
            ...readHashtagInfo(page.response),
            contents: items,
            nextToken: pages.token(continuation, noSubjects),
          },
        },
        parts: partsOfPosts(items, ['hashtag', 'contents']),
        notes: messages,
        unread,
      };
    },
  });
