import { describeLink } from '#client/link-text.ts';
import { html, type View } from '../common/html.ts';
import { Picture } from '../common/picture.ts';
import { Player } from '../common/player.ts';
import { isPlaylist } from '../qualities/codecs.ts';
import { freshMedia } from '../query/fresh-media.ts';
import { QueryLink } from '../query/query-link.ts';
import { type QueryResult, resultHeadingId } from '../query/query-result.ts';
import { authorOf, descriptionOf, factsOf, titleOf } from './media-facts.ts';
import { PostGrid } from './post-grid.ts';
import { QualityList } from './quality-list.ts';
import { StreamTable } from './stream-table.ts';

/** Shows a video, a post or a pin, and everything that can be downloaded from it. */
export function MediaView({ query, result }: QueryResult): View {
  const { contents = [], metadata, notes = [] } = result;
  const [only, another] = contents;
  const video = contents
    .flatMap(({ videos = [] }) => videos)
    .find((item) => item.metadata.has_audio && !isPlaylist(item.metadata));
  const description = descriptionOf(result);
  const author = authorOf(result);
  const title = titleOf(result);
  const single = another === undefined && only?.videos !== undefined;
  return html`
    <article class="media" aria-labelledby=${resultHeadingId}>
      <header>
        <${Picture} src=${metadata.thumbnailUrl} shape="wide" />
        <div>
          <p class="kind">${describeLink(query.link)}</p>
          <h2 id=${resultHeadingId} tabindex="-1" dir="auto">${title}</h2>
          ${author === undefined ? null : html`<p>by <${QueryLink} to=${author.url}><bdi>${author.name}</bdi><//></p>`}
          <p class="soft">${factsOf(result).join(' · ')}</p>
          ${
            video === undefined
              ? null
              : html`
                  <${Player}
                    kind="video" url=${video.url} title=${title} poster=${metadata.thumbnailUrl}
                    requestFreshUrl=${async () => (await freshMedia({ query, result }, video)).url}
                  />
                `
          }
        </div>
      </header>
      ${
        single
          ? html`<${QualityList} query=${query} result=${result} content=${only} />`
          : html`<${PostGrid} query=${query} result=${result} />`
      }
      ${notes.filter((note) => !/\bcost\b/.test(note)).map((note) => html`<p class="soft small">${note}</p>`)}
      ${
        description === undefined
          ? null
          : html`<details><summary>Description</summary><p class="prose" dir="auto">${description}</p></details>`
      }
      <details>
        <summary>All source streams</summary>
        ${contents.map((content, index) => html`<${StreamTable} query=${query} result=${result} content=${content} number=${index + 1} count=${contents.length} />`)}
      </details>
    </article>
  `;
}
