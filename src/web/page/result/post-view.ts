import { describeLink } from '#client/link-text.ts';
import { html, type View } from '../common/html.ts';
import { Picture } from '../common/picture.ts';
import { pictureAt, textAt } from '../common/read-members.ts';
import { QueryLink } from '../query/query-link.ts';
import { type QueryResult, resultHeadingId } from '../query/query-result.ts';

const PICTURE_WIDTH = 640;

/** Shows a post of a channel: its text and its images. */
export function PostView({ query: { link }, result }: QueryResult): View {
  const { post } = result.metadata;
  const author = textAt(post, 'channel', 'name');
  const images = Array.isArray(post?.images) ? post.images : [];
  return html`
    <article aria-labelledby=${resultHeadingId}>
      <p class="kind">${describeLink(link)}</p>
      <h2 id=${resultHeadingId} tabindex="-1">${author ?? 'Post'}</h2>
      <p class="soft">
        ${textAt(post, 'publishedText')} ${' '}<${QueryLink} to=${textAt(post, 'channel', 'url')}>View channel<//>
      </p>
      <p class="prose" dir="auto">${textAt(post, 'text')}</p>
      <ul class="grid">
        ${images.map(
          (image, index) => html`
          <li key=${index}>
            <${Picture} src=${pictureAt(image, PICTURE_WIDTH, 'thumbnails')} alt=${`Image ${index + 1}`} shape="square" />
            <a href=${textAt(image, 'url')} download>Download<span class="unseen"> image ${index + 1}</span></a>
          </li>
        `,
        )}
      </ul>
    </article>
  `;
}
