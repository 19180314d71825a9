import { fields, isFields } from '../../../parsing/values.ts';
import { createUnreadCounter, type UnreadKinds } from '../../unread.ts';

/** The kind of an element without data. */
const EMPTY = 'empty';

/** Maximum number of members of one element that are looked at. The site's have up to about 50. */
const MAX_MEMBERS = 1000;

/** Members around the data of a response, in which no parser looks for entries. */
const envelopeNames = new Set([
  'alerts',
  'frameworkUpdates',
  'header',
  'metadata',
  'microformat',
  'refinements',
  'responseContext',
  'sidebar',
  'topbar',
]);

/**
 * Returns the kinds of an element or response: the names of its members with data. The envelope of a response does not
 * count. There is at least one kind; that of an element without data is `empty`.
 */
export function memberKinds(node: unknown): UnreadKinds {
  const counter = createUnreadCounter();
  if (isFields(node)) {
    let members = 0;
    for (const name in node) {
      if (typeof node[name] === 'object' && !envelopeNames.has(name)) counter.add(name);
      members += 1;
      if (members === MAX_MEMBERS) break;
    }
  }
  const kinds = counter.kinds();
  return Object.keys(kinds).length > 0 ? kinds : { [EMPTY]: 1 };
}

/** Returns the first of the kinds that {@link memberKinds} returns. Lists need it for every entry, so it is faster. */
export function firstKind(node: unknown): string {
  if (!isFields(node)) return EMPTY;
  for (const name in node) if (typeof node[name] === 'object' && !envelopeNames.has(name)) return name;
  return EMPTY;
}

/** Returns whether a response has nothing but its envelope, and no list that is damaged. */
export function isBareResponse(response: unknown): boolean {
  const hasList = Object.keys(fields(response)).some((name) => /^(?:contents$|continuation|onResponse)/.test(name));
  return !hasList && Object.hasOwn(memberKinds(response), EMPTY);
}
