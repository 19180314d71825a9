import type { Picture } from '../../../parsing/picture.ts';
import { count, defined, fields, flag, text, unlessEmpty } from '../../../parsing/values.ts';
import { member } from './member.ts';
import { profilePictures } from './pictures.ts';

/** A user of the site, in the contract's format. */
export interface Person {
  readonly id?: string;
  readonly name?: string;
  readonly handle?: string;
  readonly url?: string;
  readonly thumbnails?: readonly Picture[];
  readonly verified?: boolean;
  readonly followerCount?: number;
}

/** Reads a user. Returns undefined if no member is present. */
export function person(node: unknown): Person | undefined {
  const handle = text(fields(node).username);
  const verified = [flag(member(node, 'verified_identity', 'verified')), flag(member(node, 'is_verified_merchant'))];
  const members = defined({
    id: idOf(node),
    name: text(member(node, 'full_name')),
    handle,
    url: handle === undefined ? undefined : `https://www.pinterest.com/${encodeURIComponent(handle)}/`,
    thumbnails: unlessEmpty(
      profilePictures(['image_large_url', 'image_medium_url', 'image_small_url'].map((size) => member(node, size))),
    ),
    verified: verified.includes(true) ? true : verified.find((value) => value !== undefined),
    followerCount: count(member(node, 'follower_count')),
  });
  return Object.keys(members).length > 0 ? members : undefined;
}

/** Returns a user's ID: `entityId`, a numeric `id`, or the number in the node ID `base64("User:123")`. */
export function idOf(node: unknown): string | undefined {
  const { id, entityId, node_id: nodeId } = fields(node);
  for (const value of [entityId, id]) {
    const number = text(value);
    if (number !== undefined && /^\d{1,30}$/.test(number)) return number;
  }
  const encodedId = text(id) ?? text(nodeId);
  if (encodedId === undefined || encodedId.length > 200) return undefined;
  return /^[A-Za-z]+:(\d{1,30})$/.exec(Buffer.from(encodedId, 'base64').toString('latin1'))?.[1];
}
