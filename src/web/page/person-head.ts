import { answerTitle } from './answer-props.ts';
import { numberAt, pictureAt, textAt } from './fields.ts';
import { countText } from './format.ts';
import { html, type View } from './html.ts';
import { Picture } from './picture.ts';

interface PersonHeadProps {
  readonly kind: string;
  /** A channel or an author. */
  readonly person: unknown;
  /** The member that has their pictures. */
  readonly pictures: string;
}

const PICTURE_WIDTH = 160;
const counts = {
  subscriberCount: 'subscribers',
  followerCount: 'followers',
  followingCount: 'following',
  videoCount: 'videos',
  postCount: 'posts',
  viewCount: 'views',
} as const;

/** Who somebody is: name, picture, numbers, and what they say of themselves. */
export function PersonHead({ kind, person, pictures }: PersonHeadProps): View {
  const name = ['title', 'name', 'username', 'handle'].map((member) => textAt(person, member)).find((one) => one);
  const numbers = Object.entries(counts).flatMap(([member, unit]) => {
    const count = numberAt(person, member);
    return count === undefined ? [] : [`${countText(count)} ${unit}`];
  });
  const handle = textAt(person, 'handle');
  const description = textAt(person, 'description') ?? textAt(person, 'biography');
  return html`
    <header class="person">
      <${Picture} src=${pictureAt(person, PICTURE_WIDTH, pictures)} shape="round" />
      <div>
        <p class="kind">${kind}</p>
        <h2 id=${answerTitle} tabindex="-1" dir="auto">${name ?? 'Without a name'}</h2>
        <p class="soft">${[...(handle === undefined || handle === name ? [] : [handle]), ...numbers].join(' · ')}</p>
        ${description === undefined ? null : html`<p class="prose" dir="auto">${description}</p>`}
      </div>
    </header>
  `;
}
