import { count, pick } from '../seeded.ts';
import type { Pin } from './pins.ts';

/** User of the simulated site. */
export interface User {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly followers: number;
}

/** People of a pin: the user who saved this copy, the one who saved it first, and the uploader. */
export interface Roles {
  readonly pinner: User;
  readonly originPinner?: User;
  readonly nativeCreator?: User;
}

/** Images of users without their own image. */
export const avatars = {
  small: 'https://s.pinimg.com/images/user/default_30.png',
  medium: 'https://s.pinimg.com/images/user/default_75.png',
  large: 'https://s.pinimg.com/images/user/default_140.png',
} as const;

/** Returns the people of a pin. */
export function rolesOf({ id, pinnerOnly }: Pin): Roles {
  const pinner = user('saver', id);
  return pinnerOnly ? { pinner } : { pinner, originPinner: user('first', id), nativeCreator: user('maker', id) };
}

/** Returns the base64 node ID that pages use in addition to the number. */
export function nodeId(kind: 'Pin' | 'User' | 'Board' | 'StoryPinData' | 'AggregatedPinData', id: string): string {
  return Buffer.from(`${kind}:${id}`).toString('base64');
}

function user(role: string, pinId: string): User {
  const number = pick(900_000, role, pinId) + 100_000;
  return {
    id: `7000000000000${number}`,
    username: `lab_${role}_${number}`,
    name: `Lab ${role[0]?.toUpperCase()}${role.slice(1)}`,
    followers: count(6, 'followers', role, pinId),
  };
}
