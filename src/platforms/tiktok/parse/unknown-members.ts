import { type Fields, fields, isFields, list } from '../../../parsing/values.ts';
import type { UnreadKinds } from '../../unread.ts';

/** Maximum number of members that one report names. */
const MAX_NAMES = 5;

/** Maximum number of members or entries of one value that are examined. */
const MAX_EXAMINED = 64;

/** Maximum number of levels at which links are searched. */
const MAX_DEPTH = 5;

/**
 * Returns what the site sent in place of a missing member: the members of its owner that no parser knows, or else the
 * missing one.
 *
 * @param path The owner's path in the site's data.
 */
export function inPlaceOf(missing: string, path: string, owner: unknown, known: ReadonlySet<string>): UnreadKinds {
  const unknown = unknownNames(fields(owner), known).filter((name) => typeof fields(owner)[name] === 'object');
  const names = unknown.length === 0 ? [missing] : unknown.slice(0, MAX_NAMES);
  return Object.fromEntries(names.map((name) => [kindOf(path, name), 1]));
}

/**
 * Returns the lengths of lists of objects with links that no parser knows, by path. The site may have renamed a known
 * list.
 */
export function unknownLists(path: string, owner: Fields, known: ReadonlySet<string>): UnreadKinds {
  const lists = unknownNames(owner, known).map((name) => {
    const entries = list(owner[name]).slice(0, MAX_EXAMINED);
    return [
      kindOf(path, name),
      entries.filter((entry) => isFields(entry) && hasLink(entry, MAX_DEPTH)).length,
    ] as const;
  });
  return Object.fromEntries(lists.filter(([, number]) => number > 0).slice(0, MAX_NAMES));
}

/** Returns the objects with links that no parser knows, by path. The site may have renamed a known one. */
export function unknownObjects(path: string, owner: Fields, known: ReadonlySet<string>): UnreadKinds {
  const names = unknownNames(owner, known).filter((name) => isFields(owner[name]) && hasLink(owner[name], MAX_DEPTH));
  return Object.fromEntries(names.slice(0, MAX_NAMES).map((name) => [kindOf(path, name), 1]));
}

function unknownNames(owner: Fields, known: ReadonlySet<string>): readonly string[] {
  return Object.keys(owner)
    .slice(0, MAX_EXAMINED)
    .filter((name) => !known.has(name));
}

function hasLink(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return /^(?:https?:)?\/\/./.test(value);
  if (typeof value !== 'object' || value === null || depth === 0) return false;
  return Object.values(value)
    .slice(0, MAX_EXAMINED)
    .some((inner) => hasLink(inner, depth - 1));
}

/** Returns the name of a kind: a path, shortened if it is longer than the site's own names. */
function kindOf(path: string, name: string): string {
  return `${path}.${name.slice(0, 60)}`.toWellFormed();
}
