import { useState } from 'preact/hooks';
import { ButtonGroup } from '../common/button-group.ts';
import { countText } from '../common/format-text.ts';
import { html, type View } from '../common/html.ts';
import { numberAt } from '../common/read-members.ts';
import { type QueryResult, resultHeadingId } from '../query/query-result.ts';
import { PagedList } from './paged-list.ts';

const kinds = {
  search: 'All',
  'search/video': 'Videos',
  'search/channel': 'Channels',
  'search/playlist': 'Playlists',
} as const;

/** Shows the results of a search. */
export function SearchView({ query: search, result }: QueryResult): View {
  const [kind, setKind] = useState<string>('search');
  const { query = '' } = search.link.parameters;
  const count = numberAt(result.metadata.additionalData, 'searchResults', 'estimated_results');
  const first = kind === 'search' ? { first: result } : {};
  return html`
    <section aria-labelledby=${resultHeadingId}>
      <p class="kind">YouTube search</p>
      <h2 id=${resultHeadingId} tabindex="-1" dir="auto">“${query}”</h2>
      ${count === undefined ? null : html`<p class="soft">About ${countText(count)} results</p>`}
      <${ButtonGroup} label="Result type" options=${kinds} value=${kind} onChoose=${setKind} />
      <${PagedList} key=${kind} platform="p1" endpoint=${kind} parameters=${{ query }} ...${first} />
    </section>
  `;
}
