import type { Behaviour } from './behaviours.ts';

/** What a media link has been used for. */
export interface Life {
  /** Time at which it was issued, or else of its first request, in milliseconds. */
  readonly since: number;
  /** Bytes that were sent through it. */
  sent: number;
  isDead: boolean;
}

const mebibyte = 2 ** 20;

/**
 * Returns how many bytes a behaviour lets a link send from an offset of its file on. The segments of a stream have no
 * common offset, so the bytes that were sent count instead.
 *
 * @param deaths Number of links that have died of the behaviour.
 */
export function bytesLeft(behaviour: Behaviour, life: Life, offset: number, deaths: number, now: number): number {
  const { name, at, after, age, times = Number.POSITIVE_INFINITY } = behaviour;
  if (deaths >= times) return Number.POSITIVE_INFINITY;
  if (name === 'refused') return 0;
  if (name === 'first_mib') return Math.max(0, mebibyte - offset);
  if (name !== 'dies') return Number.POSITIVE_INFINITY;
  if (age !== undefined) return now - life.since >= age ? 0 : Number.POSITIVE_INFINITY;
  const nth = (places: readonly number[]) => places[Math.min(deaths, places.length - 1)] ?? Number.POSITIVE_INFINITY;
  return Math.max(0, at === undefined ? nth(after ?? []) - life.sent : nth(at) - offset);
}
