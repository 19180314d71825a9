import { personName } from '../../names.ts';
import { count, pick } from '../../seeded.ts';
import type { PageName } from './scenarios.ts';

/** Scenario of one account on the simulated site. Absent members mean ordinary behaviour. */
interface AccountScenario {
  readonly about: string;
  /** Page that replaces the account's own page. */
  readonly page?: PageName;
  /** Its page has no data, but the head and the ID of the account. */
  readonly headOnly?: true;
  /** Response of the interface. If absent, the interface throttles the request, as it usually does. */
  readonly api?: 'user' | 'null' | 'gone' | 'page';
  readonly private?: true;
}

/** The documented accounts by name. Any other name of the right form is an ordinary account derived from the name. */
export const accountScenarios: Readonly<Record<string, AccountScenario>> = {
  thelab: { about: 'ordinary' },
  'lab.private': { about: 'private', private: true },
  'lab.api': { about: 'a page without data, available from the interface', page: 'shell', api: 'user' },
  'lab.login': { about: 'its page is the login page, available from the interface', page: 'login', api: 'user' },
  'lab.gone': { about: '404', page: 'gone' },
  'lab.errpage': { about: '200 with the error page', page: 'error_route' },
  'lab.nobody': { about: 'a page without data, the interface returns no user', page: 'shell', api: 'null' },
  'lab.api404': { about: 'a page without data, the interface returns 404', page: 'shell', api: 'gone' },
  'lab.head': { about: 'a page with only its head, the interface: please wait', headOnly: true },
  'lab.throttled': { about: 'a page without data, the interface: please wait', page: 'shell' },
  'lab.walled': {
    about: 'redirected to the login page, the interface returns a page',
    page: 'login_redirect',
    api: 'page',
  },
  'lab.challenge': { about: 'redirected to a challenge', page: 'challenge' },
};

/** An account. */
export interface Account {
  /** The number that clients use. */
  readonly pk: string;
  /** The parent company's number. */
  readonly fbid: string;
  readonly username: string;
  readonly name: string;
  readonly verified: boolean;
  readonly private: boolean;
  readonly followers: number;
  readonly following: number;
  readonly posts: number;
  readonly scenario: AccountScenario;
}

/** Finds an account by its name in any case; returns undefined if the name is invalid. */
export function findAccount(name: string): Account | undefined {
  const username = name.toLowerCase();
  if (!/^[a-z0-9._]{1,30}$/.test(username)) return undefined;
  const scenario = Object.hasOwn(accountScenarios, username) ? accountScenarios[username] : undefined;
  return {
    pk: `${100_000 + pick(900_000_000, 'pk', username)}`,
    fbid: `1784140${`${pick(1_000_000_000, 'fbid', username)}`.padStart(10, '0')}`,
    username,
    name: username === 'thelab' ? 'The Lab' : personName(username),
    verified: username === 'thelab' || pick(4, 'verified', username) === 0,
    private: scenario?.private === true,
    followers: count(8, 'followers', username),
    following: pick(1000, 'following', username),
    posts: 12 + pick(4000, 'posts', username),
    scenario: scenario ?? { about: 'ordinary' },
  };
}
