import { choose, pick } from '../../seeded.ts';
import { type Person, personCalled } from './people.ts';

/** A photo. */
export interface Photo {
  readonly id: string;
  readonly owner: Person;
  readonly caption: string;
  /** Height of its largest file in pixels. */
  readonly height: 720 | 1080;
  /** Creation time in seconds since 1970. */
  readonly created: number;
  readonly refusal?: 'gone' | 'walled';
}

/** The documented photos. */
export const photos: Readonly<Record<string, { readonly about: string; readonly refusal?: 'gone' | 'walled' }>> = {
  '660000000000001': { about: 'a photo in several sizes, with the text of its post' },
  '660000000000002': { about: 'gone', refusal: 'gone' },
  '660000000000003': { about: 'sign-in wall everywhere', refusal: 'walled' },
};

/** Returns the photo with the given number. Any number is valid. */
export function photoNumbered(id: string, owner: Person = personCalled('thelab')): Photo {
  return {
    ...photos[id],
    id,
    owner,
    caption: `May be an image of bars and a tone (${id})`,
    height: choose([720, 1080] as const, 'height', id),
    created: 1_780_000_000 + pick(10_000_000, 'created', id),
  };
}

/** Returns a photo of a profile by its index; the newest is 0. */
export function photoAt(owner: Person, place: number): Photo {
  return photoNumbered(`6${owner.id.slice(-8)}${`${place}`.padStart(6, '0')}`, owner);
}
