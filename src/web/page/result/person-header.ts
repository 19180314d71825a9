import { numberAt, textAt } from '#client/read-members.ts';
import { html, type View } from '../common/html.ts';
import { Picture } from '../common/picture.ts';
import { pictureAt } from '../common/read-members.ts';
import { countText } from '../language/format.ts';
import { isolate } from '../language/isolate.ts';
import { messages } from '../language/language.ts';
import { resultHeadingId } from '../query/query-result.ts';

interface PersonHeaderProps {
  readonly kind: string;
  /** A channel or an author of a result. */
  readonly person: unknown;
  /** The member that holds the images. */
  readonly pictures: string;
}

const PICTURE_WIDTH = 160;
const countNames = [
  'subscriberCount',
  'followerCount',
  'followingCount',
  'videoCount',
  'postCount',
  'viewCount',
] as const;

/** Shows a channel or author: name, image, numbers and description. */
export function PersonHeader({ kind, person, pictures }: PersonHeaderProps): View {
  const { list, profile } = messages();
  const name = ['title', 'name', 'username', 'handle'].map((member) => textAt(person, member)).find((text) => text);
  const numbers = countNames.flatMap((member) => {
    const count = numberAt(person, member);
    return count === undefined ? [] : [list.counts[member](count, countText(count))];
  });
  const handle = textAt(person, 'handle');
  const description = textAt(person, 'description') ?? textAt(person, 'biography');
  return html`
    <header class="person">
      <${Picture} src=${pictureAt(person, PICTURE_WIDTH, pictures)} shape="round" />
      <div>
        <p class="kind">${kind}</p>
        <h2 id=${resultHeadingId} tabindex="-1" dir="auto">${name ?? profile.unnamed}</h2>
        <p class="soft">${[...(handle === undefined || handle === name ? [] : [isolate(handle)]), ...numbers].join(' · ')}</p>
        ${description === undefined ? null : html`<p class="prose" dir="auto">${description}</p>`}
      </div>
    </header>
  `;
}
