import { useEffect, useState } from 'preact/hooks';
import { readPage } from '#client/extraction.ts';
import type { ExtractionResponse, ListItem, PlatformId } from '#client/index.ts';
import { announce } from '../common/announcer.ts';
import { client } from '../common/client.ts';
import { ErrorView } from '../common/error-view.ts';
import { html, type View } from '../common/html.ts';
import { ItemCard } from './item-card.ts';

/** A list endpoint and its parameters. */
interface ListQuery {
  readonly platform: PlatformId;
  readonly endpoint: string;
  readonly parameters: Readonly<Record<string, string>>;
}

interface PagedListProps extends ListQuery {
  /** The first page, if it is already loaded. */
  readonly first?: ExtractionResponse;
}

/** The loaded pages of a list, with the token of the next page: null at the end. */
interface LoadedPages {
  readonly items: readonly ListItem[];
  readonly nextToken: string | null;
}

/** Shows the items of a list, and a button for the next page. */
export function PagedList({ platform, endpoint, parameters, first }: PagedListProps): View {
  const readResult = (result: ExtractionResponse): LoadedPages => {
    const { items, nextToken = null } = readPage(result, platform, endpoint, parameters);
    return { items, nextToken };
  };
  const [pages, setPages] = useState<LoadedPages | undefined>(first === undefined ? undefined : readResult(first));
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);

  const load = async (previous: LoadedPages | undefined, signal?: AbortSignal) => {
    if (busy) return;
    setBusy(true);
    setError(undefined);
    try {
      const token = previous?.nextToken ?? undefined;
      // The parameters belong to the endpoint, but its type is not known here.
      const link = { platform, endpoint, parameters } as Parameters<typeof client.extractLink>[0];
      const next = readResult(await client.extractLink(link, { nextToken: token }, { signal }));
      setPages({ items: [...(previous?.items ?? []), ...next.items], nextToken: next.nextToken });
      announce(`${next.items.length} more.`);
    } catch (failure) {
      if (signal?.aborted !== true) setError(failure);
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => {
    if (first !== undefined) return;
    const controller = new AbortController();
    void load(undefined, controller.signal);
    return () => controller.abort();
  }, []);

  const items = pages?.items ?? [];
  const hasMore = pages !== undefined && pages.nextToken !== null;
  return html`
    <ul class="grid cards">${items.map((item, index) => html`<${ItemCard} key=${index} item=${item} />`)}</ul>
    ${pages !== undefined && items.length === 0 ? html`<p>No results.</p>` : null}
    ${error === undefined ? null : html`<${ErrorView} error=${error} onRetry=${() => void load(pages)} />`}
    ${
      pages === undefined && busy
        ? html`<p class="loading"><span class="water" aria-hidden="true"></span> Loading…</p>`
        : null
    }
    ${
      hasMore && error === undefined
        ? html`
            <p class="more">
              <button type="button" onClick=${() => void load(pages)} aria-busy=${busy}>${busy ? 'Loading…' : 'Load more'}</button>
            </p>
          `
        : null
    }
  `;
}
