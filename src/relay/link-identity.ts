import { createHash } from 'node:crypto';
import { itemKeyOf, type LinkOrigin } from '../contract/media-origin.ts';
import type { RelayOrder } from './relay-link.ts';

/** Returns the ID of a relay link, from its sealed order. The links of a later extraction usually have others. */
export function linkIdOf({ owner, exit, url }: Pick<RelayOrder, 'owner' | 'exit' | 'url'>): string {
  return hash([owner, exit, url]);
}

/** Returns the ID under which the replacements of a link are counted. A repeated extraction does not change it. */
export function subjectOf(owner: string, origin: LinkOrigin): string {
  const { content, representation } = origin;
  return hash([owner, itemKeyOf(origin), content, representation.kind, representation.repId]);
}

function hash(parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
