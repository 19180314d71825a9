import { describeLink } from '#client/link-text.ts';
import { countText } from '../common/format-text.ts';
import { html, type View } from '../common/html.ts';
import { numberAt, textAt } from '../common/read-members.ts';
import { QueryLink } from '../query/query-link.ts';
import { type QueryResult, resultHeadingId } from '../query/query-result.ts';
import { PagedList } from './paged-list.ts';

/** Shows a playlist or a hashtag with its items. */
export function ListView({ query: { link }, result }: QueryResult): View {
  const { playlist, hashtag } = result.metadata;
  const head = playlist?.info ?? hashtag ?? {};
  const tag = textAt(hashtag, 'tag');
  const title = textAt(head, 'title') ?? (tag === undefined ? describeLink(link) : `#${tag}`);
  const author = textAt(head, 'author', 'name');
  const count = numberAt(head, 'videoCount');
  return html`
    <section aria-labelledby=${resultHeadingId}>
      <p class="kind">${describeLink(link)}</p>
      <h2 id=${resultHeadingId} tabindex="-1" dir="auto">${title}</h2>
      ${
        author === undefined
          ? null
          : html`<p>by <${QueryLink} to=${textAt(head, 'author', 'url')}><bdi>${author}</bdi><//></p>`
      }
      ${count === undefined ? null : html`<p class="soft">${countText(count)} videos</p>`}
      <${PagedList} ...${link} first=${result} />
    </section>
  `;
}
