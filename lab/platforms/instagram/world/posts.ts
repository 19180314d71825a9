import { nextTitle, type Title, titleFor } from '../../../media/titles.ts';
import { count, pick } from '../../seeded.ts';
import { type Account, findAccount } from './accounts.ts';
import { codeOf, isCode, numberOf, privateTail } from './codes.ts';
import { type PartKind, type PostScenario, type Source, scenarios, sources } from './scenarios.ts';
import { findSound, type Sound } from './sounds.ts';

/** A post of the simulated site. */
export interface Post {
  readonly code: string;
  readonly pk: string;
  readonly kind: 'reel' | 'video' | 'photo' | 'carousel';
  readonly owner: Account;
  readonly caption: string;
  /** Seconds since 1970. */
  readonly takenAt: number;
  readonly likes: number;
  readonly comments: number;
  readonly plays: number;
  /** One, or those of a carousel. */
  readonly parts: readonly Part[];
  readonly sound?: Sound;
  readonly scenario: PostScenario;
}

/** One picture or video of a post. */
export interface Part {
  readonly code: string;
  readonly pk: string;
  readonly kind: PartKind;
  readonly seconds: number;
  /** The made media behind it. */
  readonly title: Title;
  readonly hasSound: boolean;
  readonly post: Pick<PostScenario, 'manifest' | 'links' | 'faults'>;
}

/** Finds a post by its code, be it the longer one of a private account; undefined where it cannot be one. */
export function findPost(name: string): Post | undefined {
  if (!isCode(name)) return undefined;
  const code = name.length > privateTail ? name.slice(0, -privateTail) : name;
  const scenario = (Object.hasOwn(scenarios, code) ? scenarios[code] : undefined) ?? ordinary(code);
  const kind = scenario.kind ?? 'reel';
  const owner = findAccount(scenario.ownerPrivate ? 'lab.private' : (ownerNames[pick(3, 'owner', code)] ?? 'thelab'));
  if (owner === undefined) return undefined;
  const sound = findSound(scenario.sound === 'song' ? '1000000000000001' : '1000000000000002');
  return {
    code,
    pk: numberOf(code),
    kind,
    owner,
    caption: `Post ${code} of the lab – Grüße from @lab.friend #lab #post${pick(10, 'tag', code)}`,
    takenAt: 1_780_000_000 + pick(9_000_000, 'time', code),
    likes: count(6, 'likes', code),
    comments: 2 + pick(500, 'comments', code),
    plays: 1000 + count(7, 'plays', code),
    parts: partsOf(code, kind, scenario),
    ...(kind !== 'reel' || scenario.sound === 'none' || sound === undefined ? {} : { sound }),
    scenario,
  };
}

/** Finds a post by its number. */
export function findPostByNumber(number: string): Post | undefined {
  return /^\d{1,25}$/.test(number) ? findPost(codeOf(number)) : undefined;
}

/** Whether a way leads to a post. */
export function has({ scenario }: Post, source: Source): boolean {
  return (scenario.has ?? sources).includes(source);
}

/** The latest posts of a post's owner, it among them. */
export function latestOf(post: Post): readonly Post[] {
  const others = Array.from({ length: 11 }, (_, place) => findPost(`${post.code.slice(0, -2)}x${place.toString(36)}`));
  return [post, ...others.filter((other) => other !== undefined)];
}

const ownerNames = ['thelab', 'lab.two', 'lab.three'];

function partsOf(code: string, kind: Post['kind'], scenario: PostScenario): Part[] {
  const seconds = scenario.seconds ?? 12;
  const kinds: readonly PartKind[] =
    kind === 'carousel' ? (scenario.parts ?? ['video', 'video', 'video']) : [kind === 'photo' ? 'photo' : 'video'];
  let title = titleFor(code, seconds);
  return kinds.map((each, place) => {
    const own = kind === 'carousel' ? `${code.slice(0, -2)}-${place}` : code;
    if (place > 0) title = nextTitle(title);
    const hasSound = scenario.sound !== 'none';
    return { code: own, pk: numberOf(own), kind: each, seconds, title, hasSound, post: scenario };
  });
}

function ordinary(code: string): PostScenario {
  const kinds = ['reel', 'photo', 'video', 'carousel'] as const;
  // Sounds list posts by such codes, which must be reels.
  const kind = /^lab-s\d\d/.test(code) ? 'reel' : kinds[pick(kinds.length, 'kind', code)];
  return { about: 'ordinary', kind: kind ?? 'reel', seconds: 4 };
}
