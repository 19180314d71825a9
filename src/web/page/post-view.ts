import { type AnswerProps, answerTitle } from './answer-props.ts';
import { AskLink } from './ask-link.ts';
import { pictureAt, textAt } from './fields.ts';
import { html, type View } from './html.ts';
import { describeLink } from './names.ts';
import { Picture } from './picture.ts';

const PICTURE_WIDTH = 640;

/** A post of a channel: what it says, and its pictures. */
export function PostView({ question: { link }, answer }: AnswerProps): View {
  const { post } = answer.metadata;
  const author = textAt(post, 'channel', 'name');
  const images = Array.isArray(post?.images) ? post.images : [];
  return html`
    <article aria-labelledby=${answerTitle}>
      <p class="kind">${describeLink(link)}</p>
      <h2 id=${answerTitle} tabindex="-1">${author ?? 'Post'}</h2>
      <p class="soft">
        ${textAt(post, 'publishedText')} ${' '}<${AskLink} to=${textAt(post, 'channel', 'url')}>The channel<//>
      </p>
      <p class="prose" dir="auto">${textAt(post, 'text')}</p>
      <ul class="grid">
        ${images.map(
          (image, index) => html`
          <li key=${index}>
            <${Picture} src=${pictureAt(image, PICTURE_WIDTH, 'thumbnails')} alt=${`Picture ${index + 1}`} shape="square" />
            <a href=${textAt(image, 'url')} download>Save<span class="unseen"> picture ${index + 1}</span></a>
          </li>
        `,
        )}
      </ul>
    </article>
  `;
}
