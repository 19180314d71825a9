import { type Fields, isFields } from '../../../parsing/values.ts';

/** Maximum depth, more than any response of the site has. Deeper values are not merged. */
const MAX_DEPTH = 30;

/**
 * Merges two partial responses about the same entity. A value takes precedence over a missing one or a blank text.
 * Objects and lists are merged member by member. Otherwise the first response takes precedence.
 */
export function mergePartial(first: Fields, second: Fields): Fields {
  return mergeFields(first, second, 0);
}

function mergeFields(first: Fields, second: Fields, depth: number): Fields {
  const members = new Map(Object.entries(first));
  for (const [name, value] of Object.entries(second)) members.set(name, merge(members.get(name), value, depth + 1));
  return Object.fromEntries(members);
}

function merge(first: unknown, second: unknown, depth: number): unknown {
  if (isBlank(first)) return second ?? first;
  if (isBlank(second) || depth > MAX_DEPTH) return first;
  if (isFields(first) && isFields(second)) return mergeFields(first, second, depth);
  if (Array.isArray(first) && Array.isArray(second)) {
    const longer = first.length >= second.length ? first : second;
    return longer.map((_, place) => merge(first[place], second[place], depth + 1));
  }
  return first;
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}
