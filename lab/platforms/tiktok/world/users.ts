import { personName } from '../../names.ts';
import { count, pick } from '../../seeded.ts';
import type { Wall } from './scenarios.ts';

/** Scenario of one user on the simulated site. Absent members mean ordinary behaviour. */
interface UserScenario {
  readonly about: string;
  readonly nickname?: string;
  /** `old`: without exact counts, as in pages before mid-2025. */
  readonly shape?: 'new' | 'old';
  readonly verified?: true;
  readonly wall?: Wall;
  readonly status?: readonly [code: number, words: string];
  /** Data that a user's page contains although it has an error status. */
  readonly reveals?: 'nothing' | 'user' | 'counts';
  /** Numbers of the documented posts in the box that other sites embed; the box is disabled if absent. */
  readonly box?: readonly number[];
}

/** User of the simulated site. */
export interface User extends UserScenario {
  /** Name in its original case. */
  readonly name: string;
  readonly id: string;
  readonly secUid: string;
  readonly nickname: string;
  readonly followers: number;
  readonly following: number;
  readonly hearts: number;
  readonly videos: number;
}

/** The documented users. Any other name is an ordinary user derived from the name. */
export const users: Readonly<Record<string, UserScenario>> = {
  thelab: { about: 'exact counts', nickname: 'The Lab', verified: true, box: [1, 2] },
  theoldlab: { about: 'only rounded counts, as before mid-2025', nickname: 'The Old Lab', shape: 'old' },
  labprivate: { about: 'private: only a name', status: [10222, ''], reveals: 'user' },
  labprivateseen: { about: 'private, with its counts', status: [10222, ''], reveals: 'counts' },
  labnobody: { about: 'no such user', status: [10221, "user doesn't exist"], reveals: 'nothing' },
  labbanned: { about: 'an undocumented status', status: [10223, 'user_of_the_lab'], reveals: 'nothing' },
  labembed: { about: 'its page is the check, its embedded box has a post', wall: 'check', box: [8] },
  labembedoff: { about: 'its page is the check, its box is disabled', wall: 'check' },
  labstranger: { about: 'its page is the check, its box has a post of another user', wall: 'check', box: [2] },
  labshell: { about: 'its page has no data, its box is disabled', wall: 'shell' },
  labmoved: { about: 'its page has the details under a new name, its embedded box is disabled', wall: 'moved' },
  lablogin: { about: 'its page redirects to a login page', wall: 'login' },
};

/** Returns the user with the given name, which the site treats as case-insensitive. */
export function userOf(uniqueId: string): User {
  const name = uniqueId.toLowerCase();
  const scenario: UserScenario = Object.hasOwn(users, name) ? (users[name] ?? ordinary) : ordinary;
  return {
    nickname: personName(name),
    ...scenario,
    name,
    id: `68${pick(1e9, 'id', name)}`.padEnd(19, '7'),
    secUid: `MS4wLjABAAAA${Buffer.from(`lab-user-${name}`).toString('base64url').padEnd(64, '_').slice(0, 64)}`,
    followers: 11_111 + count(7, 'followers', name),
    following: pick(900, 'following', name),
    hearts: 22_222 + count(8, 'hearts', name),
    videos: 3 + pick(300, 'videos', name),
  };
}

const ordinary: UserScenario = { about: 'ordinary' };
