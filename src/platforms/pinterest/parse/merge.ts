import { type Fields, isFields } from '../../../parsing/values.ts';

/** Deeper than any answer of the site; what lies below is taken as it is. */
const MAX_DEPTH = 30;

/**
 * One object out of two partial answers about the same thing: what has a value wins over what has none (blank texts
 * count as none), objects and lists are merged member by member, and else the first answer wins.
 */
export function mergePartial(first: Fields, second: Fields): Fields {
  return mergeFields(first, second, 0);
}

function mergeFields(first: Fields, second: Fields, depth: number): Fields {
  const merged = new Map(Object.entries(first));
  for (const [name, value] of Object.entries(second)) merged.set(name, merge(merged.get(name), value, depth + 1));
  return Object.fromEntries(merged);
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
