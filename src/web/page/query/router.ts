import { createStore } from '../common/store.ts';
import { addressOf, type Query, readQuery, readSharedText, unknownHostIn } from './query.ts';

/** The query in the page's address. */
export const currentQuery = createStore<Query | undefined>(readAddress());

/** The link in the page's address, if its site is not supported. The query is then undefined. */
export const unknownLink = createStore<string | undefined>(readUnknownLink(location.search));

addEventListener('popstate', () => {
  unknownLink.set(readUnknownLink(location.search));
  currentQuery.set(readAddress());
});

/** Navigates to a query, or to the empty page, and adds an entry to the history. */
export function navigate(query: Query | undefined): void {
  history.pushState(null, '', query === undefined ? './' : `./${addressOf(query)}`);
  unknownLink.set(undefined);
  currentQuery.set(query);
}

/** Shows which sites work, for a link to a site that is not supported. */
export function navigateToUnknown(link: string): void {
  history.pushState(null, '', `./?${new URLSearchParams({ q: link })}`);
  currentQuery.set(undefined);
  unknownLink.set(link);
}

function readUnknownLink(search: string): string | undefined {
  const parameters = new URLSearchParams(search);
  const text = parameters.get('q') ?? readSharedText(parameters);
  return unknownHostIn(text) === undefined ? undefined : text;
}

function readAddress(): Query | undefined {
  return readQuery(location.search || location.hash);
}
