import { textAt } from '#client/read-members.ts';
import { html, type View } from '../common/html.ts';
import { Picture } from '../common/picture.ts';
import { pictureAt } from '../common/read-members.ts';
import { isolate } from '../language/isolate.ts';
import { messages } from '../language/language.ts';
import { describeLink } from '../query/describe-link.ts';
import { QueryLink } from '../query/query-link.ts';
import { type QueryResult, resultHeadingId } from '../query/query-result.ts';

const PICTURE_WIDTH = 640;

/** Shows a post of a channel: its text and its images. */
export function PostView({ query: { link }, result }: QueryResult): View {
  const { post } = result.metadata;
  const author = textAt(post, 'channel', 'name');
  const { post: texts } = messages().list;
  const images = Array.isArray(post?.images) ? post.images : [];
  return html`
    <article aria-labelledby=${resultHeadingId}>
      <p class="kind">${describeLink(link)}</p>
      <h2 id=${resultHeadingId} tabindex="-1" dir="auto">${author ?? describeLink(link)}</h2>
      <p class="soft">
        ${isolate(textAt(post, 'publishedText') ?? '')} ${' '}<${QueryLink} to=${textAt(post, 'channel', 'url')}>${texts.viewChannel}<//>
      </p>
      <p class="prose" dir="auto">${textAt(post, 'text')}</p>
      <ul class="grid squares">
        ${images.map((image, index) => {
          const name = texts.image(index + 1);
          return html`
            <li class="card" key=${index}>
              <${Picture} src=${pictureAt(image, PICTURE_WIDTH, 'thumbnails')} alt=${name} shape="square" />
              <p class="card-action">
                <a href=${textAt(image, 'url')} download aria-label=${texts.downloadItem(name)}>${texts.download}</a>
              </p>
            </li>
          `;
        })}
      </ul>
    </article>
  `;
}
