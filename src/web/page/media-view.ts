import { type AnswerProps, answerTitle } from './answer-props.ts';
import { AskLink } from './ask-link.ts';
import { isPlaylist } from './codecs.ts';
import { html, type View } from './html.ts';
import { authorOf, descriptionOf, factsOf, titleOf } from './media-facts.ts';
import { describeLink } from './names.ts';
import { Picture } from './picture.ts';
import { PictureGrid } from './picture-grid.ts';
import { Preview } from './preview.ts';
import { QualityList } from './quality-list.ts';
import { StreamTable } from './stream-table.ts';

/** A video, a post, a pin: what it is, and everything that can be had of it. */
export function MediaView({ question, answer }: AnswerProps): View {
  const { contents = [], metadata, notes = [] } = answer;
  const [only, another] = contents;
  const video = contents
    .flatMap(({ videos = [] }) => videos)
    .find((item) => item.metadata.has_audio && !isPlaylist(item.metadata));
  const description = descriptionOf(answer);
  const author = authorOf(answer);
  const title = titleOf(answer);
  const single = another === undefined && only?.videos !== undefined;
  return html`
    <article class="media" aria-labelledby=${answerTitle}>
      <header>
        <${Picture} src=${metadata.thumbnailUrl} shape="wide" />
        <div>
          <p class="kind">${describeLink(question.link)}</p>
          <h2 id=${answerTitle} tabindex="-1" dir="auto">${title}</h2>
          ${author === undefined ? null : html`<p>by <${AskLink} to=${author.url}><bdi>${author.name}</bdi><//></p>`}
          <p class="soft">${factsOf(answer).join(' · ')}</p>
          ${
            video === undefined
              ? null
              : html`<${Preview} kind="video" url=${video.url} title=${title} poster=${metadata.thumbnailUrl} />`
          }
        </div>
      </header>
      ${
        single
          ? html`<${QualityList} question=${question} answer=${answer} content=${only} />`
          : html`<${PictureGrid} question=${question} answer=${answer} />`
      }
      ${notes.filter((note) => !/\bcost\b/.test(note)).map((note) => html`<p class="soft small">${note}</p>`)}
      ${
        description === undefined
          ? null
          : html`<details><summary>Description</summary><p class="prose" dir="auto">${description}</p></details>`
      }
      <details>
        <summary>Every stream, as the platform has it</summary>
        ${contents.map((content, index) => html`<${StreamTable} content=${content} place=${index + 1} of=${contents.length} />`)}
      </details>
    </article>
  `;
}
