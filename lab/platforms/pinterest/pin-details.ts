import { count } from '../seeded.ts';
import { rolesOf } from './people.ts';
import type { Pin } from './pins.ts';

/** Counts of a pin. */
interface Counts {
  readonly saves: number;
  readonly repins: number;
  readonly comments: number;
  readonly shares: number;
  readonly views: number;
  /** Counts by the site's number for each reaction; 1 is a heart. */
  readonly reactions: Readonly<Record<string, number>>;
}

/** Collection of pins. */
export interface Board {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly pins: number;
}

/** Returns the counts of a pin, which are always the same. */
export function countsOf({ id }: Pin): Counts {
  const countOf = (digits: number, what: string) => count(digits, what, id);
  return {
    saves: countOf(5, 'saves'),
    repins: countOf(4, 'repins'),
    comments: countOf(2, 'comments'),
    shares: countOf(4, 'shares'),
    views: countOf(6, 'views'),
    reactions: { 1: countOf(4, 'hearts'), 7: countOf(1, 'thanks') },
  };
}

/** Returns the board that a pin is saved to. */
export function boardOf(pin: Pin): Board {
  const { username } = rolesOf(pin).pinner;
  return { id: `8${pin.storyId}`, name: 'Lab board', path: `/${username}/lab-board/`, pins: count(3, 'pins', pin.id) };
}

/** Returns the creation time of a pin in the site's format: `Thu, 16 Oct 2025 03:38:01 +0000`. */
export function createdText({ createdAt }: Pin): string {
  return new Date(createdAt).toUTCString().replace('GMT', '+0000');
}

/** Returns the target of a pin's link; null for a direct upload. */
export function linkOf({ form, id }: Pin): string | null {
  return form === 'plain' || form === 'gif' ? `https://blog.lab.example/${id}` : null;
}

/** Returns the domain in a pin's source. */
export function domainOf(pin: Pin): string {
  return linkOf(pin) === null ? 'Uploaded by user' : 'blog.lab.example';
}

/** Returns a pin's embed member for media of another site, or for an animated image. */
export function embedOf({ form, embedsVideo, id }: Pin, original: string): { src: string; type: string } | null {
  if (embedsVideo) return { src: `https://www.youtube.com/embed/lab${id.slice(-8)}`, type: 'iframe' };
  return form === 'gif' ? { src: original, type: 'gif' } : null;
}
