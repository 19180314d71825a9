import { useEffect } from 'preact/hooks';
import { endpoints } from '#client/endpoints.ts';
import { describeLink } from '#client/link-text.ts';
import { announce, focusOn } from '../common/announcer.ts';
import { ErrorView, errorHeadingId } from '../common/error-view.ts';
import { html, type View } from '../common/html.ts';
import { type QueryResult, resultHeadingId } from '../query/query-result.ts';
import type { RequestState } from '../query/use-result.ts';
import { ChannelView } from './channel-view.ts';
import { ListView } from './list-view.ts';
import { MediaView } from './media-view.ts';
import { PostView } from './post-view.ts';
import { ProfileView } from './profile-view.ts';
import { SearchView } from './search-view.ts';

/** Shows the result of the query, or the state of the request. */
export function ResultView({ request, onRetry }: { request: RequestState; onRetry: () => void }): View {
  useEffect(() => {
    if (request.state === 'loading') announce(`Loading the ${describeLink(request.query.link)}.`);
    if (request.state === 'loaded') focusOn(resultHeadingId);
    // After "Try again" was pressed, nothing has the focus, because the button is gone. A visitor who is typing keeps
    // the focus.
    if (request.state === 'failed' && document.activeElement === document.body) focusOn(errorHeadingId);
  }, [request]);
  switch (request.state) {
    case 'idle':
      return null;
    case 'loading':
      return html`<div class="loading"><span class="water" aria-hidden="true"></span> Loading…</div>`;
    case 'failed':
      return html`<${ErrorView} error=${request.error} onRetry=${onRetry} />`;
    case 'loaded':
      return html`<${viewOf(request)} ...${request} key=${JSON.stringify(request.query.link)} />`;
  }
}

/** Selects the view for the result of an endpoint. */
function viewOf({ query: { link }, result }: QueryResult): (props: QueryResult) => View {
  if (link.endpoint === 'search') return SearchView;
  if (link.endpoint === 'channel/details') return ChannelView;
  if (result.metadata.post !== undefined) return PostView;
  const table: Readonly<Record<string, object>> = endpoints[link.platform];
  if ('list' in (table[link.endpoint] ?? {})) return ListView;
  return result.contents === undefined ? ProfileView : MediaView;
}
