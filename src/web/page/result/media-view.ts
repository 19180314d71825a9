import { useState } from 'preact/hooks';
import { ChoicesView } from '../choices/choices-view.ts';
import { html, type View } from '../common/html.ts';
import { messages } from '../language/language.ts';
import { lazy } from '../loading/lazy.ts';
import { Player } from '../player/player.ts';
import { previewOf } from '../player/preview.ts';
import { describeLink } from '../query/describe-link.ts';
import { freshMedia } from '../query/fresh-media.ts';
import { authorOf, descriptionOf, factsOf, titleOf } from '../query/media-facts.ts';
import { QueryLink } from '../query/query-link.ts';
import { type QueryResult, resultHeadingId } from '../query/query-result.ts';
import type { ItemOptions } from '../tools/item-options.ts';
import { CountryOption } from './country-form.ts';
import { PostGrid } from './post-grid.ts';
import { photosOf } from './post-items.ts';
import { StreamTable } from './stream-table.ts';

const ItemTools = lazy(async () => (await import('../tools/item-tools.ts')).ItemTools);

/** Shows a video, a post or a pin, and everything that can be downloaded from it. */
export function MediaView({ query, result }: QueryResult): View {
  const [options, setOptions] = useState<ItemOptions>({});
  const [media, setMedia] = useState<HTMLMediaElement>();
  const { contents = [], metadata, notes = [] } = result;
  const [only, another] = contents;
  const preview = previewOf(contents);
  const description = descriptionOf(result);
  const author = authorOf(result);
  const title = titleOf(result);
  const single = another === undefined && only !== undefined;
  const parts = single ? photosOf(query.link.platform, only) : contents;
  const { result: texts, choices } = messages();
  const file = () => html`
    <${ChoicesView} query=${query} result=${result} content=${only} options=${options} />
    <${ItemTools} query=${query} result=${result} content=${only} options=${options} media=${media} onChange=${setOptions} />
  `;
  return html`
    <article class="media" aria-labelledby=${resultHeadingId}>
      <div class="panel lead">
        <${Player}
          kind=${preview?.kind ?? 'video'} title=${title} url=${preview?.item.url} silent=${preview?.silent === true}
          poster=${metadata.thumbnailUrl ?? only?.images?.at(-1)?.url} onMedia=${setMedia}
          requestFreshUrl=${async () => (preview === undefined ? '' : (await freshMedia({ query, result }, preview.item)).url)}
        />
        <header>
          <p class="kind">${describeLink(query.link)}</p>
          <h2 id=${resultHeadingId} tabindex="-1" dir="auto">${title}</h2>
          <p class="soft facts">
            ${author === undefined ? null : html`<span><${QueryLink} to=${author.url}><bdi>${author.name}</bdi><//></span>`}
            ${factsOf(result).map((fact) => html`<span>${fact}</span>`)}
          </p>
        </header>
        ${parts.length === 0 && single ? html`<div class="side">${file()}</div>` : null}
      </div>
      ${contents.length === 0 ? html`<p class="notice">${choices.nothing}</p>` : null}
      ${parts.length === 0 ? null : html`<${PostGrid} query=${query} result=${result} contents=${parts} />`}
      ${parts.length > 0 && single ? html`<div class="panel">${file()}</div>` : null}
      <div class="panel more-about">
        ${single ? null : html`<${ItemTools} query=${query} result=${result} options=${options} onChange=${setOptions} />`}
        ${notes.filter((note) => !/\bcost\b/.test(note)).map((note) => html`<p class="soft small note">${note}</p>`)}
        ${
          description === undefined
            ? null
            : html`<details><summary>${texts.description}</summary><p class="prose" dir="auto">${description}</p></details>`
        }
        <details>
          <summary>${texts.allStreams}</summary>
          ${contents.map((content, index) => html`<${StreamTable} query=${query} result=${result} content=${content} number=${index + 1} count=${contents.length} />`)}
        </details>
        <${CountryOption} query=${query} />
      </div>
    </article>
  `;
}
