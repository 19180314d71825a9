import { useEffect } from 'preact/hooks';
import { endpoints } from '#client/endpoints.ts';
import { announce, focusOn } from '../common/announcer.ts';
import { html, type View } from '../common/html.ts';
import { platformNames } from '../common/platform-names.ts';
import { messages } from '../language/language.ts';
import { errorHeadingId } from '../problems/error-view.ts';
import { type QueryResult, resultHeadingId } from '../query/query-result.ts';
import type { RequestState } from '../query/use-result.ts';
import { ChannelView } from './channel-view.ts';
import { ListView } from './list-view.ts';
import { liveStateOf } from './live-state.ts';
import { LiveView } from './live-view.ts';
import { LoadingView } from './loading-view.ts';
import { MediaView } from './media-view.ts';
import { PostView } from './post-view.ts';
import { ProfileView } from './profile-view.ts';
import { QueryProblem } from './query-problem.ts';
import { SearchView } from './search-view.ts';

/** Shows the result of the query, or the state of the request. */
export function ResultView({ request, onRetry }: { request: RequestState; onRetry: () => void }): View {
  useEffect(() => {
    if (request.state === 'loading')
      announce(messages().problem.loading.text(platformNames[request.query.link.platform]));
    if (request.state === 'loaded') focusOn(resultHeadingId);
    // After "Try again" was pressed, nothing has the focus, because the button is gone. A visitor who is typing keeps
    // the focus.
    if (request.state === 'failed' && document.activeElement === document.body) focusOn(errorHeadingId);
  }, [request]);
  switch (request.state) {
    case 'idle':
      return null;
    case 'loading':
      return html`<${LoadingView} link=${request.query.link} />`;
    case 'failed':
      return html`<${QueryProblem} query=${request.query} error=${request.error} onRetry=${onRetry} />`;
    case 'loaded':
      return html`<${viewOf(request)} ...${request} key=${JSON.stringify(request.query.link)} />`;
  }
}

/** Selects the view for the result of an endpoint. */
function viewOf({ query: { link }, result }: QueryResult): (props: QueryResult) => View {
  if (link.endpoint === 'search') return SearchView;
  if (link.endpoint === 'channel/details') return ChannelView;
  if (result.metadata.post !== undefined) return PostView;
  if (liveStateOf(result) !== undefined) return LiveView;
  const table: Readonly<Record<string, object>> = endpoints[link.platform];
  if ('list' in (table[link.endpoint] ?? {})) return ListView;
  return result.contents === undefined ? ProfileView : MediaView;
}
