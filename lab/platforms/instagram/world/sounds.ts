import { pick } from '../../seeded.ts';
import { type Account, findAccount } from './accounts.ts';

/** What one sound of the simulated site shows. What is absent is ordinary. */
interface SoundScenario {
  readonly about: string;
  readonly kind?: 'song' | 'original';
  /** How the interface answers: in the envelope of pages where absent. */
  readonly api?: 'bare' | 'late' | 'forbidden' | 'page' | 'too_many';
  /** What its page is: one with its title where absent. */
  readonly page?: 'gone' | 'untitled';
}

/** The documented sounds by number. Any other number is an ordinary sound that follows from it. */
export const soundScenarios: Readonly<Record<string, SoundScenario>> = {
  '1000000000000001': { about: 'a song', kind: 'song' },
  '1000000000000002': { about: 'the sound of a reel', kind: 'original' },
  '1000000000000003': { about: 'the interface answers bare', kind: 'song', api: 'bare' },
  '1000000000000004': { about: 'the first page is empty, the second is not', kind: 'song', api: 'late' },
  '1000000000000005': { about: 'the interface answers 403, its page has the title', kind: 'song', api: 'forbidden' },
  '1000000000000006': {
    about: 'the interface answers a page, so does its page without a title',
    api: 'page',
    page: 'untitled',
  },
  '1000000000000007': { about: '404', api: 'forbidden', page: 'gone' },
  '1000000000000429': { about: 'the interface answers 429, its page has no title', api: 'too_many', page: 'untitled' },
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
