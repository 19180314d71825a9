import { dig, type Fields, isFields } from '../../../parsing/values.ts';
import type { QueryResult } from './page.ts';

/** All objects in a page that describe the same entity. Each of them is one copy. */
export type Copies = readonly Fields[];

/**
 * The entities of a page. The site sends parts of a post, video or person in many positions, each with its `id`.
 * Grouping them by ID avoids depending on these positions, which change.
 */
export interface Records {
  /** Main results, in order. */
  readonly roots: readonly QueryResult[];
  /** Deferred parts whose position in the main result has no ID. */
  readonly loose: Copies;
  /** Returns every copy of one entity, in page order. */
  copies(id: string | undefined): Copies;
  /** Returns every object that has a member of this name with a value. */
  having(name: string): Copies;
}

/** Maximum number of objects read. A large page has some 15,000. */
const MAX_OBJECTS = 300_000;

/** Maximum number of copies of one entity. A large page has some thirty. */
const MAX_COPIES = 1_000;

/** Groups the objects in a page's query results by their ID. */
export function readRecords(results: readonly QueryResult[]): Records {
  const objects = objectsOf(results.map(({ data }) => data));
  const byId = new Map<string, Fields[]>();
  const add = (id: string, copy: Fields) => {
    const others = byId.get(id);
    if (others === undefined) byId.set(id, [copy]);
    else if (others.length < MAX_COPIES) others.push(copy);
  };
  for (const object of objects) if (typeof object.id === 'string') add(object.id, object);
  const roots = results.filter(({ label, operation }) => label === undefined && operation !== undefined);
  const loose: Fields[] = [];
  for (const result of results) {
    if (roots.includes(result) || typeof result.data.id === 'string') continue;
    const main = roots.find(({ operation }) => operation === result.operation);
    const id = result.path === undefined ? undefined : dig(main?.data, ...result.path, 'id');
    if (typeof id === 'string') add(id, result.data);
    else loose.push(result.data);
  }
  return {
    roots,
    loose,
    copies: (id) => (id === undefined ? [] : (byId.get(id) ?? [])),
    having: (name) => objects.filter((object) => Object.hasOwn(object, name) && object[name] != null),
  };
}

/** Returns every object within some values, in order. */
function objectsOf(values: readonly unknown[]): Fields[] {
  const matches: Fields[] = [];
  const stack: unknown[] = values.toReversed();
  while (stack.length > 0 && matches.length < MAX_OBJECTS) {
    const value = stack.pop();
    if (isFields(value)) matches.push(value);
    const members = Array.isArray(value) ? value : isFields(value) ? Object.values(value) : [];
    for (let at = members.length - 1; at >= 0; at -= 1) {
      const member: unknown = members[at];
      if (typeof member === 'object' && member !== null) stack.push(member);
    }
  }
  return matches;
}

/** Returns the first defined value that `read` returns for a copy. */
export function pick<T>(copies: Copies, read: (copy: Fields) => T | undefined): T | undefined {
  for (const copy of copies) {
    const value = read(copy);
    if (value !== undefined) return value;
  }
  return undefined;
}
