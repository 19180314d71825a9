import { count, pick } from '../../seeded.ts';

/** What a profile shows besides the ordinary. */
interface ProfileScenario {
  readonly about: string;
  readonly name?: string;
  /** A page of today, one of before 2023 under its own number, or a person. */
  readonly kind?: 'page' | 'classic' | 'person';
  /** Where guests are let in; everywhere where absent. `once`: to each page the first time alone. */
  readonly open?: 'web' | 'once' | 'never';
  readonly deleted?: true;
  readonly locked?: true;
  readonly memorialized?: true;
  /** Tabs that guests are not shown. */
  readonly without?: readonly ('about' | 'photos' | 'reels' | 'videos')[];
  /** Pages of the About tab that are walled. */
  readonly walledParts?: true;
  /** What the data interface does when it is asked for further pages. */
  readonly further?: 'login' | 'limited' | 'renumbered';
  readonly reels?: number;
  readonly photos?: number;
}

/** A profile or page. */
export interface Person extends ProfileScenario {
  /** As addresses name it. */
  readonly vanity: string;
  readonly id: string;
  readonly name: string;
  readonly kind: 'page' | 'classic' | 'person';
  /** Number of the classic page that a page of today took over. */
  readonly pageId?: string;
  readonly reels: number;
  readonly photos: number;
  readonly followers: number;
}

/** The documented profiles by their names in addresses. */
export const profiles: Readonly<Record<string, ProfileScenario>> = {
  thelab: { about: 'a page with everything: 27 reels, 21 photos', name: 'The Lab', reels: 27, photos: 21 },
  'lab.classic': { about: 'a classic page: no profile number of its own', name: 'The Classic Lab', kind: 'classic' },
  'lab.person': {
    about: 'a person: guests see the header alone',
    name: 'Lab Person',
    kind: 'person',
    without: ['about', 'photos', 'reels', 'videos'],
  },
  'lab.locked': { about: 'a locked profile', name: 'Lab Locked', kind: 'person', locked: true, reels: 0, photos: 0 },
  'lab.memorial': { about: 'a remembered person', name: 'Lab Memorial', kind: 'person', memorialized: true },
  'lab.empty': { about: 'no reels and no photos', reels: 0, photos: 0 },
  'lab.videos': { about: 'no tab of reels; the tab of videos stands in', without: ['reels'] },
  'lab.parts': { about: 'its About tab is shown in part', walledParts: true },
  'lab.webonly': { about: 'walled at www, open at web', open: 'web' },
  'lab.once': { about: 'each page is open the first time and walled from then on', open: 'once' },
  'lab.walled': { about: 'walled everywhere', open: 'never' },
  'lab.gone': { about: 'gone', deleted: true },
  'lab.denied': { about: 'further pages of its lists ask to sign in', further: 'login', reels: 14, photos: 14 },
  'lab.limited': {
    about: 'further pages of its lists are refused with 1675004',
    further: 'limited',
    reels: 14,
    photos: 14,
  },
  'lab.renumbered': {
    about: 'further pages are known under numbers alone that its scripts tell',
    further: 'renumbered',
    reels: 14,
    photos: 14,
  },
};

/** Numbers of documented profiles begin so, and end in their place in the table. */
const documentedId = '1000770000000';

/** The profile of a name in addresses. Any name is one; `lab.walled-x` is another one that is like `lab.walled`. */
export function personCalled(vanity: string): Person {
  const number = /^lab\.(1000\d{11})$/.exec(vanity)?.[1];
  const name = vanity.replace(/^(lab\.[a-z]+)-.*$/, '$1');
  const place = Object.keys(profiles).indexOf(name);
  const id = number ?? (place < 0 || name !== vanity ? numberFrom(vanity) : `${documentedId}${10 + place}`);
  return describe(vanity, id, profiles[name] ?? { about: 'ordinary' });
}

/** The profile of a number. Any number is one. */
export function personNumbered(id: string): Person {
  const vanity = id.startsWith(documentedId)
    ? Object.keys(profiles)[Number(id.slice(documentedId.length)) - 10]
    : undefined;
  return personCalled(vanity ?? `lab.${id}`);
}

function describe(vanity: string, id: string, scenario: ProfileScenario): Person {
  const { kind = 'page', name = `Lab profile ${vanity}`, reels = 4, photos = 5 } = scenario;
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
