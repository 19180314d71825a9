import { numberAt, textAt } from '#client/read-members.ts';
import { html, type View } from '../common/html.ts';
import { countText } from '../language/format.ts';
import { messages } from '../language/language.ts';
import { describeLink } from '../query/describe-link.ts';
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
  const isMix = link.parameters.playlistId?.startsWith('RD') === true;
  const endless = isMix || hashtag !== undefined;
  return html`
    <section aria-labelledby=${resultHeadingId}>
      <header class="list-head">
        <p class="kind">${describeLink(link)}</p>
        <h2 id=${resultHeadingId} tabindex="-1" dir="auto">${title}</h2>
        <p class="soft facts">
          ${author === undefined ? null : html`<${QueryLink} to=${textAt(head, 'author', 'url')}><bdi>${author}</bdi><//>`}
          ${count === undefined ? null : html`<span>${messages().list.counts.videoCount(count, countText(count))}</span>`}
        </p>
      </header>
      <${PagedList} link=${link} name=${title} first=${result} endless=${endless} total=${endless ? undefined : count} />
    </section>
  `;
}
