import { useEffect } from 'preact/hooks';
import { endpoints } from '#client/endpoints.ts';
import { announce, focusOn } from './announcer.ts';
import { type AnswerProps, answerTitle } from './answer-props.ts';
import { ChannelView } from './channel-view.ts';
import { html, type View } from './html.ts';
import { ListView } from './list-view.ts';
import { MediaView } from './media-view.ts';
import { describeLink } from './names.ts';
import { PostView } from './post-view.ts';
import { ProblemView, problemTitle } from './problem-view.ts';
import { ProfileView } from './profile-view.ts';
import { SearchView } from './search-view.ts';
import type { Asking } from './use-answer.ts';

/** What came of the question, or how it stands. */
export function AnswerView({ asking, onRetry }: { asking: Asking; onRetry: () => void }): View {
  useEffect(() => {
    if (asking.state === 'asked') announce(`Asking for the ${describeLink(asking.question.link)}.`);
    if (asking.state === 'answered') focusOn(answerTitle);
    // Who has tried again stands nowhere, since the button is another one; who typed goes on typing.
    if (asking.state === 'failed' && document.activeElement === document.body) focusOn(problemTitle);
  }, [asking]);
  switch (asking.state) {
    case 'none':
      return null;
    case 'asked':
      return html`<div class="asking"><span class="water" aria-hidden="true"></span> Asking …</div>`;
    case 'failed':
      return html`<${ProblemView} error=${asking.error} onRetry=${onRetry} />`;
    case 'answered':
      return html`<${viewOf(asking)} ...${asking} key=${JSON.stringify(asking.question.link)} />`;
  }
}

/** The view that fits what an endpoint answers. */
function viewOf({ question: { link }, answer }: AnswerProps): (props: AnswerProps) => View {
  if (link.endpoint === 'search') return SearchView;
  if (link.endpoint === 'channel/details') return ChannelView;
  if (answer.metadata.post !== undefined) return PostView;
  const table: Readonly<Record<string, object>> = endpoints[link.platform];
  if ('list' in (table[link.endpoint] ?? {})) return ListView;
  return answer.contents === undefined ? ProfileView : MediaView;
}
