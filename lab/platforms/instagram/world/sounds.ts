import { pick } from '../../seeded.ts';
import { type Account, findAccount } from './accounts.ts';

/** Scenario of one sound on the simulated site. Absent members mean ordinary behaviour. */
interface SoundScenario {
  readonly about: string;
  readonly kind?: 'song' | 'original';
  /** Response of the interface; by default, the list is in the envelope that pages use. */
  readonly api?: 'bare' | 'late' | 'forbidden' | 'page' | 'too_many';
  /** State of its page; by default it has a title. */
  readonly page?: 'gone' | 'untitled';
}

/** The documented sounds by number. Any other number is an ordinary sound derived from the number. */
export const soundScenarios: Readonly<Record<string, SoundScenario>> = {
  '1000000000000001': { about: 'a song', kind: 'song' },
  '1000000000000002': { about: 'the sound of a reel', kind: 'original' },
  '1000000000000003': { about: 'the interface returns the list without an envelope', kind: 'song', api: 'bare' },
  '1000000000000004': { about: 'the first page is empty, the second is not', kind: 'song', api: 'late' },
  '1000000000000005': { about: 'the interface returns 403, its page has the title', kind: 'song', api: 'forbidden' },
  '1000000000000006': {
    about: "the interface returns a page, and the sound's own page has no title",
    api: 'page',
    page: 'untitled',
  },
  '1000000000000007': { about: '404', api: 'forbidden', page: 'gone' },
  '1000000000000429': { about: 'the interface returns 429, its page has no title', api: 'too_many', page: 'untitled' },
};

/** A sound. */
export interface Sound {
  readonly id: string;
  readonly kind: 'song' | 'original';
  readonly title: string;
  readonly artist: Account;
  readonly seconds: number;
  readonly reels: number;
  readonly scenario: SoundScenario;
}

/** Finds a sound by its number. */
export function findSound(id: string): Sound | undefined {
  const artist = findAccount(`lab.singer${pick(20, 'singer', id)}`);
  if (!/^\d{1,25}$/.test(id) || artist === undefined) return undefined;
  const scenario = Object.hasOwn(soundScenarios, id) ? soundScenarios[id] : undefined;
  const kind = scenario?.kind ?? (pick(2, 'kind', id) === 0 ? 'song' : 'original');
  return {
    id,
    kind,
    title: kind === 'song' ? `Lab song ${id} & more` : 'Original audio',
    artist,
    seconds: 30,
    reels: 6 + pick(500_000, 'reels', id),
    scenario: scenario ?? { about: 'ordinary' },
  };
}
