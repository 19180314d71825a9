import { useState } from 'preact/hooks';
import { numberAt } from '#client/read-members.ts';
import { ButtonGroup } from '../common/button-group.ts';
import { html, type View } from '../common/html.ts';
import { countText } from '../language/format.ts';
import { isolate } from '../language/isolate.ts';
import { messages } from '../language/language.ts';
import { describeLink } from '../query/describe-link.ts';
import { type QueryResult, resultHeadingId } from '../query/query-result.ts';
import { PagedList } from './paged-list.ts';

/** Shows the results of a search. */
export function SearchView({ query: search, result }: QueryResult): View {
  const [kind, setKind] = useState<string>('search');
  const { query = '' } = search.link.parameters;
  const count = numberAt(result.metadata.additionalData, 'searchResults', 'estimated_results');
  const link = { platform: 'p1', endpoint: kind, parameters: { query } };
  const first = kind === 'search' ? { first: result } : {};
  const { search: texts, noResults } = messages().list;
  return html`
    <section aria-labelledby=${resultHeadingId}>
      <header class="list-head">
        <p class="kind">${describeLink(search.link)}</p>
        <h2 id=${resultHeadingId} tabindex="-1" dir="auto">${texts.quoted(isolate(query))}</h2>
        ${count === undefined ? null : html`<p class="soft">${texts.estimate(count, countText(count))}</p>`}
        <${ButtonGroup} label=${texts.kindLabel} options=${texts.kinds} value=${kind} onChoose=${setKind} />
      </header>
      <${PagedList}
        key=${kind} link=${link} name=${query} endless emptyText=${noResults} ...${first}
      />
    </section>
  `;
}
