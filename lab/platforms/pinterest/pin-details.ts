import { count } from '../seeded.ts';
import { rolesOf } from './people.ts';
import type { Pin } from './pins.ts';

/** What was counted of a pin. */
interface Counts {
  readonly saves: number;
  readonly repins: number;
  readonly comments: number;
  readonly shares: number;
  readonly views: number;
  /** By the site's number of the kind: 1 is a heart. */
  readonly reactions: Readonly<Record<string, number>>;
}

/** A collection of pins. */
export interface Board {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly pins: number;
}

/** The counts of a pin: always the same. */
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

/** The board that a pin is saved to. */
export function boardOf(pin: Pin): Board {
  const { username } = rolesOf(pin).pinner;
  return { id: `8${pin.storyId}`, name: 'Lab board', path: `/${username}/lab-board/`, pins: count(3, 'pins', pin.id) };
}

/** When a pin was made, as the site writes it: `Thu, 16 Oct 2025 03:38:01 +0000`. */
export function createdText({ createdAt }: Pin): string {
  return new Date(createdAt).toUTCString().replace('GMT', '+0000');
}

/** Where a pin leads; null for one that was uploaded from nowhere. */
export function linkOf({ form, id }: Pin): string | null {
  return form === 'plain' || form === 'gif' ? `https://blog.lab.example/${id}` : null;
}

/** What is said of where a pin is from. */
export function domainOf(pin: Pin): string {
  return linkOf(pin) === null ? 'Uploaded by user' : 'blog.lab.example';
}

/** What stands in a pin for the media of another site, or for a moving picture. */
export function embedOf({ form, embedsVideo, id }: Pin, original: string): { src: string; type: string } | null {
  if (embedsVideo) return { src: `https://www.youtube.com/embed/lab${id.slice(-8)}`, type: 'iframe' };
  return form === 'gif' ? { src: original, type: 'gif' } : null;
}
