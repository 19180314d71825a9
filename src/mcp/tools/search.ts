import Type from 'typebox';
import { entryOfListItem } from '#client/collections/list-item-entry.ts';
import { readPage } from '#client/extraction.ts';
import { searchEndpoints } from '#client/search-endpoints.ts';
import type { Platform } from '../../platforms/platform.ts';
import { argumentSchema, argumentSchemas, argumentsOf } from '../argument-schemas.ts';
import { toolLimits } from '../limits.ts';
import { defineTool, type Tool } from '../tool.ts';
import { untrustedTextNote } from '../untrusted-text.ts';
import { endpointOf } from './endpoint.ts';
import { entrySchema, shortEntry } from './entry.ts';

type Kind = keyof typeof searchEndpoints;

/** Creates the tool that searches p1, the only platform with a search. */
export function searchTool(platforms: readonly Platform[]): Tool {
  const { parameters } = endpointOf(platforms, 'p1', searchEndpoints.all);
  const { query, ...optional } = parameters.properties;
  if (query === undefined) throw new Error('the search has no query');
  return defineTool({
    name: 'search',
    title: 'Search for videos',
    description: `Searches YouTube (p1). Each page costs credits. ${untrustedTextNote}`,
    input: argumentsOf({
      query: argumentSchema(query),
      kind: Type.Optional(
        Type.Enum(Object.keys(searchEndpoints) as Kind[], { description: 'Kind of results.', default: 'all' }),
      ),
      ...argumentSchemas(optional),
    }),
    output: Type.Object({
      results: Type.Array(entrySchema, { maxItems: toolLimits.entries }),
      nextToken: Type.Union([Type.String(), Type.Null()], {
        description: 'Argument that requests the next page. null on the last page.',
      }),
    }),
    readOnly: true,
    async run({ kind = 'all', ...search }, { client, signal }) {
      // The cast is safe: the arguments were checked against the schemas of the endpoint's parameters.
      const values = search as { readonly query: string };
      const endpoint = searchEndpoints[kind as Kind];
      const response = await client.extract('p1', endpoint, values, { signal });
      const { items, nextToken } = readPage(response, 'p1', endpoint, values);
      return {
        results: items.slice(0, toolLimits.entries).map((item) => shortEntry(entryOfListItem(item))),
        nextToken: nextToken ?? null,
      };
    },
  });
}
