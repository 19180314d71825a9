import { personName } from '../../names.ts';
import { count, pick } from '../../seeded.ts';

/** Special behaviour of a profile. */
interface ProfileScenario {
  readonly about: string;
  readonly name?: string;
  /** A current page, a page from before 2023 under its own number, or a person. */
  readonly kind?: 'page' | 'classic' | 'person';
  /** Hosts that are open to guests; all if absent. `once`: each page is open only at the first request. */
  readonly open?: 'web' | 'once' | 'never';
  readonly deleted?: true;
  readonly locked?: true;
  readonly memorialized?: true;
  /** Tabs that guests cannot see. */
  readonly without?: readonly ('about' | 'photos' | 'reels' | 'videos')[];
  /** Some pages of its About tab are sign-in walls. */
  readonly walledParts?: true;
  /** Response of the data interface to requests for later pages. */
  readonly further?: 'login' | 'limited' | 'renumbered' | 'unauthorized';
  /** Its reels tab is a sign-in wall. */
  readonly walledReels?: true;
  /** Its pages have only their head. */
  readonly headOnly?: true;
  /** `some`: its lists have entries of an unknown kind. `all`: its tabs have an unknown structure. */
  readonly unknown?: 'some' | 'all';
  readonly reels?: number;
  readonly photos?: number;
}

/** Profile or page. */
export interface Person extends ProfileScenario {
  /** Name in addresses. */
  readonly vanity: string;
  readonly id: string;
  readonly name: string;
  readonly kind: 'page' | 'classic' | 'person';
  /** Number of the classic page that a current page replaced. */
  readonly pageId?: string;
  readonly reels: number;
  readonly photos: number;
  readonly followers: number;
}

/** The documented profiles by their names in addresses. */
export const profiles: Readonly<Record<string, ProfileScenario>> = {
  thelab: { about: 'a page with everything: 27 reels, 21 photos', name: 'The Lab', reels: 27, photos: 21 },
  'lab.classic': { about: 'a classic page without a profile number', name: 'The Classic Lab', kind: 'classic' },
  'lab.person': {
    about: 'a person: guests see only the header',
    name: 'Lab Person',
    kind: 'person',
    without: ['about', 'photos', 'reels', 'videos'],
  },
  'lab.locked': { about: 'a locked profile', name: 'Lab Locked', kind: 'person', locked: true, reels: 0, photos: 0 },
  'lab.memorial': { about: 'a memorialised person', name: 'Lab Memorial', kind: 'person', memorialized: true },
  'lab.empty': { about: 'no reels and no photos', reels: 0, photos: 0 },
  'lab.videos': { about: 'no reels tab; it has a videos tab instead', without: ['reels'] },
  'lab.parts': { about: 'its About tab is partly available', walledParts: true },
  'lab.webonly': { about: 'sign-in wall at www, open at web', open: 'web' },
  'lab.once': { about: 'each page is open the first time and a sign-in wall afterwards', open: 'once' },
  'lab.walled': { about: 'sign-in wall everywhere', open: 'never' },
  'lab.gone': { about: 'gone', deleted: true },
  'lab.denied': { about: 'later pages of its lists require signing in', further: 'login', reels: 14, photos: 14 },
  'lab.limited': {
    about: 'later pages of its lists are refused with 1675004',
    further: 'limited',
    reels: 14,
    photos: 14,
  },
  'lab.renumbered': {
    about: 'later pages have query numbers that only its scripts contain',
    further: 'renumbered',
    reels: 14,
    photos: 14,
  },
  'lab.unauthorized': {
    about: 'later pages of its lists are refused with "Unauthorized logged out query"',
    further: 'unauthorized',
    reels: 14,
    photos: 14,
  },
  'lab.reelwall': { about: 'its reels tab is a sign-in wall, its videos tab is open', walledReels: true },
  'lab.headonly': { about: 'its pages arrive with their head, but without their data', headOnly: true },
  'lab.unknown': { about: 'every second entry of its lists has an unknown kind', unknown: 'some' },
  'lab.changed': { about: 'its tabs have an unknown structure', unknown: 'all' },
};

/** Prefix of the numbers of documented profiles. Each number ends with the profile's index in the table. */
const documentedId = '1000770000000';

/**
 * Returns the profile with the given name in addresses. Any name is valid; `lab.walled-x` is another profile that
 * behaves like `lab.walled`.
 */
export function personCalled(vanity: string): Person {
  const number = /^lab\.(1000\d{11})$/.exec(vanity)?.[1];
  const name = vanity.replace(/^(lab\.[a-z]+)-.*$/, '$1');
  const place = Object.keys(profiles).indexOf(name);
  const id = number ?? (place < 0 || name !== vanity ? numberFrom(vanity) : `${documentedId}${10 + place}`);
  return describe(vanity, id, profiles[name] ?? { about: 'ordinary' });
}

/** Returns the profile with the given number. Any number is valid. */
export function personNumbered(id: string): Person {
  const vanity = id.startsWith(documentedId)
    ? Object.keys(profiles)[Number(id.slice(documentedId.length)) - 10]
    : undefined;
  return personCalled(vanity ?? `lab.${id}`);
}

function describe(vanity: string, id: string, scenario: ProfileScenario): Person {
  const { kind = 'page', name = personName(vanity), reels = 4, photos = 5 } = scenario;
  return {
    ...scenario,
    vanity,
    id,
    name,
    kind,
    reels,
    photos,
    followers: 1000 + count(7, 'followers', id),
    ...(kind === 'page' ? { pageId: `54${id.slice(-10)}` } : {}),
  };
}

function numberFrom(text: string): string {
  return `1000${`${10_000_000_000 + pick(2 ** 31, 'profile', text)}`}`;
}
