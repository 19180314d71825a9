import { nextTitle, type Title, titleFor } from '../../../media/titles.ts';
import { titleOfItem } from '../../headlines.ts';
import { choose, count, pick } from '../../seeded.ts';
import { type Account, findAccount } from './accounts.ts';
import { codeOf, isCode, numberOf, privateTail } from './codes.ts';
import { type PartKind, type PostScenario, type Source, scenarios, sources } from './scenarios.ts';
import { findSound, type Sound } from './sounds.ts';

/** Post of the simulated site. */
export interface Post {
  readonly code: string;
  readonly pk: string;
  readonly kind: 'reel' | 'video' | 'photo' | 'carousel';
  readonly owner: Account;
  readonly caption: string;
  /** Creation time in seconds since 1970. */
  readonly takenAt: number;
  readonly likes: number;
  readonly comments: number;
  readonly plays: number;
  /** All parts of a carousel; other posts have exactly one part. */
  readonly parts: readonly Part[];
  readonly sound?: Sound;
  readonly scenario: PostScenario;
}

/** One image or video of a post. */
export interface Part {
  readonly code: string;
  readonly pk: string;
  readonly kind: PartKind;
  readonly seconds: number;
  /** Size of the original file in pixels. */
  readonly size: { readonly width: number; readonly height: number };
  /** Generated media of the part. */
  readonly title: Title;
  readonly hasSound: boolean;
  readonly post: Pick<PostScenario, 'manifest' | 'links' | 'faults'>;
}

/**
 * Finds a post by its code, including the longer code of a private account; returns undefined if the code is invalid.
 */
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
    caption: `${titleOfItem(code)} – Grüße from @lab.friend #lab #post${pick(10, 'tag', code)}`,
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

/** Returns whether a source returns a post. */
export function has({ scenario }: Post, source: Source): boolean {
  return (scenario.has ?? sources).includes(source);
}

/** Returns the latest posts of a post's owner, including the post itself. */
export function latestOf(post: Post): readonly Post[] {
  const others = Array.from({ length: 11 }, (_, place) => findPost(`${post.code.slice(0, -2)}x${place.toString(36)}`));
  return [post, ...others.filter((other) => other !== undefined)];
}

/** Size of videos and documented photos. */
const landscape = { width: 1920, height: 1080 };
/** Sizes of other photos. All photos of a post have one size. */
const photoSizes = [landscape, { width: 1080, height: 1080 }, { width: 1080, height: 1350 }] as const;

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
    const size = each === 'photo' && scenario.about === 'ordinary' ? choose(photoSizes, 'size', code) : landscape;
    return { code: own, pk: numberOf(own), kind: each, seconds, size, title, hasSound, post: scenario };
  });
}

function ordinary(code: string): PostScenario {
  const kinds = ['reel', 'photo', 'video', 'carousel'] as const;
  // The lists of sounds use these codes, so the codes must belong to reels.
  const kind = /^lab-s\d\d/.test(code) ? 'reel' : kinds[pick(kinds.length, 'kind', code)];
  return { about: 'ordinary', kind: kind ?? 'reel', seconds: 4 };
}
