import { type AnswerProps, answerTitle } from './answer-props.ts';
import { AskLink } from './ask-link.ts';
import { numberAt, textAt } from './fields.ts';
import { countText } from './format.ts';
import { html, type View } from './html.ts';
import { Listing } from './listing.ts';
import { describeLink } from './names.ts';

/** A playlist or a hashtag, and what is in it. */
export function ListView({ question: { link }, answer }: AnswerProps): View {
  const { playlist, hashtag } = answer.metadata;
  const head = playlist?.info ?? hashtag ?? {};
  const tag = textAt(hashtag, 'tag');
  const title = textAt(head, 'title') ?? (tag === undefined ? describeLink(link) : `#${tag}`);
  const author = textAt(head, 'author', 'name');
  const count = numberAt(head, 'videoCount');
  return html`
    <section aria-labelledby=${answerTitle}>
      <p class="kind">${describeLink(link)}</p>
      <h2 id=${answerTitle} tabindex="-1" dir="auto">${title}</h2>
      ${
        author === undefined
          ? null
          : html`<p>by <${AskLink} to=${textAt(head, 'author', 'url')}><bdi>${author}</bdi><//></p>`
      }
      ${count === undefined ? null : html`<p class="soft">${countText(count)} videos</p>`}
      <${Listing} ...${link} first=${answer} />
    </section>
  `;
}
