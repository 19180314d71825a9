import { count, defined, fields, flag, text, unlessEmpty } from '../../../parsing/values.ts';
import { member } from './member.ts';
import { profilePictures } from './pictures.ts';

/** A user of the site, as far as an answer tells. */
export interface Person {
  readonly id?: string;
  readonly name?: string;
  readonly handle?: string;
  readonly url?: string;
  readonly thumbnails?: readonly { readonly url: string; readonly width?: number; readonly height?: number }[];
  readonly verified?: boolean;
  readonly followerCount?: number;
}

/** Reads a user; undefined where nothing is told. */
export function person(node: unknown): Person | undefined {
  const handle = text(fields(node).username);
  const verified = [flag(member(node, 'verified_identity', 'verified')), flag(member(node, 'is_verified_merchant'))];
  const read = defined({
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
  return Object.keys(read).length > 0 ? read : undefined;
}

/** A user's number: told as `entityId`, as a numeric `id`, or inside of the node id `base64("User:123")`. */
export function idOf(node: unknown): string | undefined {
  const { id, entityId, node_id: nodeId } = fields(node);
  for (const value of [entityId, id]) {
    const number = text(value);
    if (number !== undefined && /^\d{1,30}$/.test(number)) return number;
  }
  const encoded = text(id) ?? text(nodeId);
  if (encoded === undefined || encoded.length > 200) return undefined;
  return /^[A-Za-z]+:(\d{1,30})$/.exec(Buffer.from(encoded, 'base64').toString('latin1'))?.[1];
}
