import { useState } from 'preact/hooks';
import { type AnswerProps, answerTitle } from './answer-props.ts';
import { Choice } from './choice.ts';
import { numberAt } from './fields.ts';
import { countText } from './format.ts';
import { html, type View } from './html.ts';
import { Listing } from './listing.ts';

const kinds = {
  search: 'Everything',
  'search/video': 'Videos',
  'search/channel': 'Channels',
  'search/playlist': 'Playlists',
} as const;

/** What was found for some words. */
export function SearchView({ question, answer }: AnswerProps): View {
  const [kind, setKind] = useState<string>('search');
  const { query = '' } = question.link.parameters;
  const count = numberAt(answer.metadata.additionalData, 'searchResults', 'estimated_results');
  const first = kind === 'search' ? { first: answer } : {};
  return html`
    <section aria-labelledby=${answerTitle}>
      <p class="kind">YouTube search</p>
      <h2 id=${answerTitle} tabindex="-1" dir="auto">“${query}”</h2>
      ${count === undefined ? null : html`<p class="soft">About ${countText(count)} results</p>`}
      <${Choice} label="What to search for" options=${kinds} value=${kind} onChoose=${setKind} />
      <${Listing} key=${kind} platform="p1" endpoint=${kind} parameters=${{ query }} ...${first} />
    </section>
  `;
}
