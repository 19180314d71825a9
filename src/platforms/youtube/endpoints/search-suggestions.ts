import Type from 'typebox';
import { langParameter } from '../../../contract/parameters.ts';
import { noSubjects } from '../../../contract/subjects.ts';
import { defineEndpoint } from '../../define-endpoint.ts';
import { parseSuggestions } from '../parse/search-suggestions.ts';
import type { EndpointFactory } from './endpoint-factory.ts';
import { queryParameter } from './parameters.ts';

const ADDRESS = 'https://suggestqueries-clients6.youtube.com/complete/search';

/** Creates the endpoint for YouTube's suggestions for a partial search text. */
export const searchSuggestions: EndpointFactory = (openInnertube) =>
  defineEndpoint({
    path: '/search/suggestions',
    summary: 'Search suggestions for a partial query',
    parameters: Type.Object({
      query: queryParameter,
      previousQuery: Type.Optional(
        Type.String({
          maxLength: 2_000,
          description: 'Text of the previous search, which can affect the suggestions.',
          examples: ['rivers'],
        }),
      ),
      lang: Type.Optional(langParameter),
    }),
    credits: 1,
    contents: false,
    returns: ['additionalData.searchSuggestions'],
    subjects: () => noSubjects,
    async extract(parameters, context) {
      const innertube = openInnertube(parameters, context);
      const { query, previousQuery } = parameters;
      const search = new URLSearchParams({
        client: 'youtube',
        ds: 'yt',
        hl: innertube.language,
        gl: innertube.country,
        q: query.toWellFormed(),
        ...(previousQuery === undefined ? {} : { pq: previousQuery.toWellFormed() }),
        xhr: 't',
      });
      const { text, status } = await innertube.fetch(`${ADDRESS}?${search}`);
      const { suggestions, unread } = parseSuggestions(text, status);
      return { metadata: { additionalData: { searchSuggestions: suggestions } }, unread };
    },
  });
