import { type Fields, isFields } from '../../../parsing/values.ts';
import { countVisit, parseSiteJson } from '../../reading.ts';

/** Maximum number of members and items in a search. Recorded pages have fewer than 100,000. */
const MAX_VALUES = 500_000;

/** Maximum number of script blocks of one page. Recorded pages have fewer than 60. */
const MAX_BLOCKS = 500;
/** Maximum number of members of one object whose values are visited. */
const MAX_MEMBERS = 5000;

/** Returns whether a complete page contains a text, but not in JSON script blocks, where the site puts its data. */
export function isOutsideBlocks(html: string, content: string): boolean {
  const isComplete = /<\/html>\s{0,100}$/.test(html);
  return isComplete && html.includes(content) && jsonBlocks(html, content).every((block) => block === undefined);
}

/** Returns the values of a member in a page's JSON script blocks, without building the rest of the data. */
export function valuesInPage(html: string, name: string): unknown[] {
  return jsonBlocks(html, name).flatMap((block) => valuesUnder(block, name));
}

/** Returns every value of a member, at any depth. The site sometimes appends `@` and a hash to names. */
export function valuesUnder(root: unknown, name: string): unknown[] {
  const matches: unknown[] = [];
  walk(root, (key, value) => {
    if (key !== name && !key.startsWith(`${name}@`)) return true;
    matches.push(value);
    return false;
  });
  return matches;
}

/**
 * Returns the values of several members, at any depth and also in each other, by their names. One search finds them all,
 * because a response can be large.
 */
export function valuesOf(roots: readonly unknown[], names: readonly string[]): ReadonlyMap<string, unknown[]> {
  const found = new Map<string, unknown[]>(names.map((name) => [name, []]));
  for (const root of roots) {
    walk(root, (key, value) => {
      const [name = ''] = key.split('@', 1);
      found.get(name)?.push(value);
      return true;
    });
  }
  return found;
}

/** Returns the objects of a page's JSON script blocks that satisfy a condition. Each block must contain a text. */
export function objectsInPage(html: string, content: string, matches: (value: Fields) => boolean): readonly Fields[] {
  const objects: Fields[] = [];
  for (const block of jsonBlocks(html, content)) {
    walk(block, (_, value) => {
      if (isFields(value) && matches(value)) objects.push(value);
      return true;
    });
  }
  return objects;
}

/**
 * Visits a value and its members at any depth, in text order. An item of an array has the name of the array.
 *
 * @param visit Returns whether to visit the members of this value.
 */
export function walk(root: unknown, visit: (name: string, value: unknown) => boolean): void {
  const stack: Member[] = [['', root]];
  for (let visits = 0; visits < MAX_VALUES; visits += 1) {
    const next = stack.pop();
    if (next === undefined) return;
    countVisit();
    const [name, value] = next;
    if (!visit(name, value)) continue;
    if (Array.isArray(value)) pushItems(stack, name, value);
    else if (isFields(value)) for (const member of membersOf(value).reverse()) stack.push(member);
  }
}

type Member = readonly [name: string, value: unknown];

/** Adds the items of an array that have members. Others would be found by the name of the array. */
function pushItems(stack: Member[], name: string, items: readonly unknown[]): void {
  for (let at = items.length - 1; at >= 0; at -= 1) {
    const item = items[at];
    if (typeof item === 'object' && item !== null) stack.push([name, item]);
  }
}

/** Returns the members of an object. Those of one that has very many are data in no form of the site. */
function membersOf(value: Fields): Member[] {
  const members: Member[] = [];
  for (const name in value) {
    if (members.length === MAX_MEMBERS) return [];
    members.push([name, value[name]]);
  }
  return members;
}

/** Returns the JSON script blocks of a page that contain a text. */
export function jsonBlocks(html: string, content: string): unknown[] {
  const blocks: unknown[] = [];
  let position = 0;
  for (let count = 0; count < MAX_BLOCKS; count += 1) {
    const hit = html.indexOf(content, position);
    const end = hit < 0 ? -1 : html.indexOf('</script>', hit);
    if (end < 0) break;
    // Searches only the text after the last block.
    const before = html.slice(position, hit);
    const tag = before.lastIndexOf('<script');
    const start = tag < 0 ? -1 : before.indexOf('>', tag) + 1;
    if (start > 0 && before.slice(tag, start).includes('application/json')) {
      blocks.push(parseSiteJson(html.slice(position + start, end)));
    }
    position = end;
  }
  return blocks;
}
