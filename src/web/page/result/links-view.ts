import { useEffect, useState } from 'preact/hooks';
import { isCollection } from '#client/index.ts';
import { type Entry, entryOfQuery } from '../collection/entry.ts';
import { useSelection } from '../collection/selection.ts';
import { SelectionBar } from '../collection/selection-bar.ts';
import { focusOn } from '../common/announcer.ts';
import { html, type View } from '../common/html.ts';
import { messages } from '../language/language.ts';
import { addressOf, type Query, unknownLinksIn } from '../query/query.ts';
import { resultHeadingId } from '../query/query-result.ts';
import { LinkCard } from './link-card.ts';

/** Shows a card for each of several pasted links, to be selected and downloaded. */
export function LinksView({ query: { text, links = [] } }: { query: Query }): View {
  /** The entries whose details are loaded, by their addresses; `failed` if there is nothing to download. */
  const [details, setDetails] = useState<ReadonlyMap<string, Entry | 'failed'>>(new Map());
  useEffect(() => focusOn(resultHeadingId), []);
  // A link to a list is opened by its card; its items are selected there.
  const entries = links
    .filter(({ link }) => !isCollection(link))
    .map((query) => details.get(addressOf(query)) ?? entryOfQuery(query))
    .filter((entry) => entry !== 'failed');
  const selection = useSelection(entries.map(({ source }) => source));
  const { links: count, pasted } = messages().list;
  const unknown = unknownLinksIn(text).length;
  return html`
    <section aria-labelledby=${resultHeadingId}>
      <header class="list-head">
        <p class="kind">${pasted.heading}</p>
        <h2 id=${resultHeadingId} tabindex="-1">${count(links.length)}</h2>
        ${unknown === 0 ? null : html`<p class="soft">${pasted.unknown(unknown)}</p>`}
      </header>
      ${
        entries.length === 0
          ? null
          : html`<${SelectionBar} name=${pasted.heading} entries=${entries} selection=${selection} />`
      }
      <ul class="grid cards">
        ${links.map(
          (query) => html`
            <${LinkCard}
              key=${addressOf(query)} query=${query} selection=${selection}
              onDetails=${(entry: Entry | 'failed') => setDetails((before) => new Map(before).set(addressOf(query), entry))}
            />
          `,
        )}
      </ul>
    </section>
  `;
}
