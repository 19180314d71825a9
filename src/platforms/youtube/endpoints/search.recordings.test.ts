import { describe, expect, it } from 'vitest';
import { dig, fields, list } from '../../../parsing/values.ts';
import { readPage } from '../parse/item-list.ts';
import type { ListItem } from '../parse/items/list-item.ts';
import { readText } from '../parse/text.ts';
import { extractRecorded } from '../testing/extract-recorded.ts';
import { recordedLists } from '../testing/recorded-lists.ts';
import { type Recording, recordings, recordingsOf } from '../testing/recordings.ts';
import { type SearchKind, searchParams } from './search-parameters.ts';

interface Results {
  readonly results: readonly ListItem[];
  readonly estimated_results: number;
  readonly correctedQuery?: string;
  readonly correction?: string;
  readonly nextToken: string | null;
}

const kinds: Readonly<Record<string, SearchKind | undefined>> = {
  '8AEB': undefined,
  'EgIQAfABAQ%3D%3D': 'video',
  'EgIQAvABAQ%3D%3D': 'channel',
  'EgIQA_ABAQ%3D%3D': 'playlist',
};

async function search(recording: Recording) {
  const { query, params, continuation } = fields(recording.request.body);
  const kind = kinds[String(params)];
  const path = kind === undefined ? '/search' : `/search/${kind}`;
  const cursor = typeof continuation === 'string' ? continuation : undefined;
  const { metadata, requests } = await extractRecorded(path, { query: String(query ?? 'test') }, recording, cursor);
  return { searchResults: metadata.additionalData?.searchResults as Results, requestBody: fields(requests[0]?.body) };
}

describe.skipIf(recordings().length === 0)('recorded searches', () => {
  const searches = recordingsOf('search');

  it.each(searches.map((recording) => [recording.name, recording] as const))(
    'are requested and read as in %s',
    async (name, recording) => {
      const { searchResults, requestBody } = await search(recording);
      const { query, params, continuation } = fields(recording.request.body);
      expect({ query: requestBody.query, params: requestBody.params, continuation: requestBody.continuation }).toEqual({
        query,
        params,
        continuation,
      });
      expect(searchResults.results).toHaveLength(recordedLists[name.replace('.json.gz', '')]?.[0] ?? -1);
      expect(searchResults.estimated_results).toBe(Number(fields(recording.body).estimatedResults));
    },
  );

  it('contain spelling corrections', async () => {
    const corrections = new Map<string, unknown>();
    for (const recording of searches) {
      const { correction, correctedQuery } = (await search(recording)).searchResults;
      const name = recording.name.replace(/^search\/|\.json\.gz$/g, '');
      if (correction !== undefined) corrections.set(name, [correction, correctedQuery]);
    }
    expect(Object.fromEntries(corrections)).toEqual({
      head__search_search_correctedsearch_2: ['replaced', 'pewdiepie'],
      head__search_search_shortformcontent_2: ['included', 'shorts'],
      head__search_search_videodescription_2: ['suggested', '44 LAzydFU'],
      pr0702__search_search_correctedsearch_1: ['replaced', 'pewdiepie'],
      pr0702__search_search_shortformcontent_1: ['included', 'shorts'],
      pr0702__search_search_suggestion_1: ['suggested', 'on boarding'],
    });
  });

  it("use the same filters as the site's links", () => {
    const places: Readonly<
      Record<string, (label: string) => [SearchKind | undefined, Record<string, string | string[]>]>
    > = {
      'Upload date': (label) => [undefined, { uploadDate: label.replace(/^This /, '').toLowerCase() }],
      Type: (label) => [label.toLowerCase().replace(/s$/, '') as SearchKind, {}],
      Duration: (label) => [
        undefined,
        {
          duration:
            { U: 'under_three_mins', '3': 'three_to_twenty_mins', O: 'over_twenty_mins' }[label.slice(0, 1)] ?? '',
        },
      ],
      Features: (label) => [
        undefined,
        {
          features: [
            { 'Subtitles/CC': 'subtitles', '360°': '360', 'Creative Commons': 'creative_commons' }[label] ??
              label.toLowerCase(),
          ],
        },
      ],
      Prioritise: (label) => [undefined, { prioritize: label.toLowerCase() }],
    };
    const links = filterLinks(searches.find(({ name }) => name.includes('pr0702__search_search_all_1'))?.body);
    expect(links).toHaveLength(24);
    for (const { group, label, params } of links) {
      const [kind, parameters] = places[group]?.(label) ?? [undefined, {}];
      // The site has a filter for shorts, but the contract has no endpoint for it.
      if (label === 'Shorts') continue;
      expect(withoutHelp(searchParams(kind, parameters)), label).toBe(withoutHelp(params));
    }
  });

  it('contain separate types of items', () => {
    const items = recordingsOf('search_fragments').flatMap(
      ({ body }) => readPage({ contents: [dig(body, 'raw')] }).items,
    );
    expect(items.map((item) => [item.type, item.id, 'title' in item ? item.title : ''])).toEqual([
      ['mix', 'RDh6vUBjGTYxQ', 'Mix - Dada-Dii'],
      ['playlist', 'PLjq6DwYksrzz_fsWIpPcf6V7p2RNAneKc', 'The Age of A.I.'],
      ['movie', 'NPwLeuh2GGQ', 'Mulan'],
    ]);
  });
});

function filterLinks(body: unknown) {
  const groups = dig(
    body,
    ...[
      'header',
      'searchHeaderRenderer',
      'searchFilterButton',
      'buttonRenderer',
      'command',
      'openPopupAction',
      'popup',
    ],
    ...['searchFilterOptionsDialogRenderer', 'groups'],
  );
  return list(groups).flatMap((group) =>
    list(dig(group, 'searchFilterGroupRenderer', 'filters')).flatMap((entry) => {
      const filter = dig(entry, 'searchFilterRenderer');
      const params = dig(filter, 'navigationEndpoint', 'searchEndpoint', 'params');
      const label = readText(dig(filter, 'label')) ?? '';
      const title = readText(dig(group, 'searchFilterGroupRenderer', 'title')) ?? '';
      return typeof params === 'string' ? [{ group: title, label, params }] : [];
    }),
  );
}

/** Returns the bytes in hex, without the last member, which suppresses the help page. */
function withoutHelp(params: string): string {
  return Buffer.from(decodeURIComponent(params), 'base64url')
    .toString('hex')
    .replace(/f00101$/, '');
}
