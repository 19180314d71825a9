import { useEffect, useState } from 'preact/hooks';
import { readPage } from '#client/extraction.ts';
import type { Answer, ListItem, PlatformId } from '#client/index.ts';
import { announce } from './announcer.ts';
import { html, type View } from './html.ts';
import { ItemCard } from './item-card.ts';
import { ProblemView } from './problem-view.ts';
import { client } from './service.ts';

/** A list endpoint, and what it is asked. */
export interface ListQuestion {
  readonly platform: PlatformId;
  readonly endpoint: string;
  readonly parameters: Readonly<Record<string, string>>;
}

interface ListingProps extends ListQuestion {
  /** The first page, where it is there already. */
  readonly first?: Answer;
}

/** What is there of a list, and where it goes on: null at its end. */
interface Loaded {
  readonly items: readonly ListItem[];
  readonly nextToken: string | null;
}

/** The items of a list, and a button for the next page. */
export function Listing({ platform, endpoint, parameters, first }: ListingProps): View {
  const page = (answer: Answer): Loaded => {
    const { items, nextToken = null } = readPage(answer, platform, endpoint, parameters);
    return { items, nextToken };
  };
  const [loaded, setLoaded] = useState<Loaded | undefined>(first === undefined ? undefined : page(first));
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);

  const load = async (before: Loaded | undefined, signal?: AbortSignal) => {
    if (busy) return;
    setBusy(true);
    setError(undefined);
    try {
      const token = before?.nextToken ?? undefined;
      // The list's own parameters are known to its endpoint alone.
      const link = { platform, endpoint, parameters } as Parameters<typeof client.askLink>[0];
      const next = page(await client.askLink(link, { nextToken: token }, { signal }));
      setLoaded({ items: [...(before?.items ?? []), ...next.items], nextToken: next.nextToken });
      announce(`${next.items.length} more.`);
    } catch (thrown) {
      if (signal?.aborted !== true) setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => {
    if (first !== undefined) return;
    const left = new AbortController();
    void load(undefined, left.signal);
    return () => left.abort();
  }, []);

  const items = loaded?.items ?? [];
  const more = loaded !== undefined && loaded.nextToken !== null;
  return html`
    <ul class="grid cards">${items.map((item, index) => html`<${ItemCard} key=${index} item=${item} />`)}</ul>
    ${loaded !== undefined && items.length === 0 ? html`<p>There is nothing here.</p>` : null}
    ${error === undefined ? null : html`<${ProblemView} error=${error} onRetry=${() => void load(loaded)} />`}
    ${
      loaded === undefined && busy
        ? html`<p class="asking"><span class="water" aria-hidden="true"></span> Asking …</p>`
        : null
    }
    ${
      more && error === undefined
        ? html`
            <p class="more">
              <button type="button" onClick=${() => void load(loaded)} aria-busy=${busy}>${busy ? 'Asking …' : 'More'}</button>
            </p>
          `
        : null
    }
  `;
}
