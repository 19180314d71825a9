import { titleOfItem } from '../../headlines.ts';
import { pick } from '../../seeded.ts';
import { type Person, personCalled } from './people.ts';

/** Special behaviour of a post. */
export interface PostScenario {
  readonly about: string;
  readonly attachment?: 'photo' | 'album' | 'video' | 'sticker' | 'nothing' | 'partly unknown' | 'unknown';
  /** Shares another post, whose media it displays. */
  readonly shares?: true;
  readonly refusal?: 'gone' | 'walled' | 'others';
  readonly open?: 'web';
}

/** A post. */
export interface Post extends PostScenario {
  readonly id: string;
  readonly attachment: NonNullable<PostScenario['attachment']>;
  readonly owner: Person;
  readonly text: string;
  /** Creation time in seconds since 1970. */
  readonly created: number;
}

/** The documented posts, by number; each is also available as `pfbid0Lab` followed by its number. */
export const posts: Readonly<Record<string, PostScenario>> = {
  '880000000000001': { about: 'a photo; twelve comments', attachment: 'photo' },
  '880000000000002': { about: 'an album of four photos and a video', attachment: 'album' },
  '880000000000003': { about: 'a video', attachment: 'video' },
  '880000000000004': { about: 'shares another post with a photo', attachment: 'nothing', shares: true },
  '880000000000005': { about: 'text only', attachment: 'nothing' },
  '880000000000006': { about: 'text and a sticker', attachment: 'sticker' },
  '880000000000007': { about: 'gone', refusal: 'gone' },
  '880000000000008': { about: 'sign-in wall everywhere', refusal: 'walled' },
  '880000000000009': { about: 'its page contains only other posts', refusal: 'others' },
  '880000000000010': { about: 'open only at the web host', open: 'web' },
  '880000000000011': { about: 'an album of two photos and two items of an unknown kind', attachment: 'partly unknown' },
  '880000000000012': { about: 'an album of items of an unknown kind only', attachment: 'unknown' },
};

/** Returns the post with the given number or opaque name; any name of the right form is valid. */
export function postCalled(name: string, owner: Person): Post {
  const number = /^pfbid0Lab(\d{15})\w*$/.exec(name)?.[1] ?? (/^\d+$/.test(name) ? name : undefined);
  const id = number ?? `88${`${pick(2 ** 31, 'post', name)}`.padStart(13, '0')}`;
  const scenario: PostScenario =
    posts[id] ?? (id.startsWith('404') ? { about: 'gone', refusal: 'gone' } : { about: 'ordinary' });
  return {
    ...scenario,
    id,
    attachment: scenario.attachment ?? 'photo',
    owner,
    text: `${titleOfItem(id)}\n\nMore at https://lab.example/${id} #lab #post`,
    created: 1_780_000_000 + pick(10_000_000, 'created', id),
  };
}

/** Returns the post that a post shares. */
export function sharedBy(post: Post): Post {
  const owner = personCalled('lab.memorial');
  return { ...postCalled(`${BigInt(post.id) + 1000n}`, owner), attachment: 'photo', text: 'What was shared.' };
}

/** Returns the opaque name of a post in addresses. */
export function opaqueName({ id }: Pick<Post, 'id'>): string {
  return `pfbid0Lab${id.padStart(15, '0')}`;
}
