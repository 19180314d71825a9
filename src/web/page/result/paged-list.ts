import type { ExtractionResponse, RecognisedLink } from '#client/index.ts';
import { entriesOf } from '../collection/entry.ts';
import { MAX_ITEMS } from '../collection/saved-queue.ts';
import { useSelection } from '../collection/selection.ts';
import { SelectionBar } from '../collection/selection-bar.ts';
import { html, type View } from '../common/html.ts';
import { messages } from '../language/language.ts';
import { ErrorView } from '../problems/error-view.ts';
import { CardSkeletons } from './card-skeletons.ts';
import { ItemGrid } from './item-grid.ts';
import { usePages } from './use-pages.ts';

interface PagedListProps {
  readonly link: RecognisedLink;
  /** Title of the list. */
  readonly name: string;
  /** The first page, if it is already loaded. */
  readonly first?: ExtractionResponse;
  /** Whether the list has no meaningful end, as that of a search. */
  readonly endless?: boolean;
  /** Number of items, as far as the platform states it. */
  readonly total?: number | undefined;
  /** Shown if the list has no items. */
  readonly emptyText?: string;
}

/** Shows the items of a list, to be selected and downloaded, and a button for the next page. */
export function PagedList({ name, first, endless = false, total, emptyText, link }: PagedListProps): View {
  const pages = usePages(link, first);
  const { items, error, busy, hasMore } = pages;
  const { list: texts } = messages();
  const entries = entriesOf(items ?? []);
  const selection = useSelection(entries.map(({ source }) => source));
  if (items === undefined) {
    return error === undefined
      ? html`<${CardSkeletons} />`
      : html`<${ErrorView} error=${error} onRetry=${() => void pages.loadMore()} />`;
  }
  const loadAll = async () => {
    const all = await pages.loadUpTo(MAX_ITEMS);
    return all === undefined ? undefined : entriesOf(all);
  };
  return html`
    ${
      entries.length === 0
        ? null
        : html`
            <${SelectionBar}
              name=${name} entries=${entries} selection=${selection} hasMore=${hasMore} endless=${endless}
              total=${total} onLoadAll=${loadAll}
            />
          `
    }
    <${ItemGrid} items=${items} selection=${selection} />
    ${items.length === 0 ? html`<p class="soft">${emptyText ?? texts.empty}</p>` : null}
    ${error === undefined ? null : html`<${ErrorView} error=${error} onRetry=${() => void pages.loadMore()} />`}
    ${
      hasMore && error === undefined
        ? html`
            <p class="more">
              <button type="button" onClick=${() => void pages.loadMore()} aria-busy=${busy}>
                ${busy ? texts.loading : texts.loadMore}
              </button>
            </p>
          `
        : null
    }
  `;
}
