import { createStore } from '../common/store.ts';
import { addressOf, type Query, readQuery } from './query.ts';

/** The query in the page's address. */
export const currentQuery = createStore<Query | undefined>(readQuery(location.search));

addEventListener('popstate', () => currentQuery.set(readQuery(location.search)));

/** Navigates to a query, or to the empty page, and adds an entry to the history. */
export function navigate(query: Query | undefined): void {
  history.pushState(null, '', query === undefined ? './' : addressOf(query));
  currentQuery.set(query);
}
