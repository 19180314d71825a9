import { type Fields, fields, text } from '../../../parsing/values.ts';
import type { ContentMedia } from '../../platform.ts';
import { countKinds, type UnreadKinds } from '../../unread.ts';
import { filesIn, mediaIn } from './media-addresses.ts';

/** Members whose media are read elsewhere, and are counted there if they cannot be read. */
const knownMembers = /^(?:story_?pin_?data|carousel_?data)$/i;

/** Members whose media belong to other pins, to boards or to people. */
const foreignMembers = /board|section|pinner|creator|owner|user|attribution|promot|related|recommend|shuffle|article/i;

/**
 * Returns the members of a pin with videos or audio, or with a list of images, that no reader knows. This is how a
 * renamed story or carousel appears. If the pin's main image was not found, members with a single image count as well.
 */
export function unreadMembers(pin: Fields, contents: readonly ContentMedia[], hasMainImage: boolean): UnreadKinds {
  const read = mediaIn(contents);
  const unread = Object.entries(pin).filter(([name, value]) => {
    if (knownMembers.test(name) || foreignMembers.test(name)) return false;
    const found = hasMainImage ? new Set([...filesIn(value), ...listedMedia(value)]) : mediaIn(value);
    return found.difference(read).size > 0;
  });
  return countKinds(unread.map(([name]) => name));
}

/** Returns the site's own name of the kind of an entry: its `type` or `__typename`, or else the fallback. */
export function entryKind(entry: unknown, fallback: string): string {
  const { type, __typename: name } = fields(entry);
  return text(type) ?? text(name) ?? fallback;
}

/** Returns the media of the entries of lists in a member. */
function listedMedia(value: unknown): ReadonlySet<string> {
  if (Array.isArray(value)) return mediaIn(value);
  if (typeof value !== 'object' || value === null) return new Set();
  return mediaIn(Object.values(value).filter(Array.isArray));
}
