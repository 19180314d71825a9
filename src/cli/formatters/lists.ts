import type { KnownMetadata, ListItem } from '../../contract/metadata.ts';

/** A list of an answer. */
interface NamedList {
  readonly name: string;
  readonly items: readonly ListItem[];
}

/** How deep lists lie: `channel.videos.contents`. */
const DEPTH = 3;

/** Every list of items in what an answer tells, by the name of what holds it: `playlist`, `channel videos`. */
export function listsOf(metadata: KnownMetadata): readonly NamedList[] {
  return Object.entries(metadata).flatMap(([name, value]) => listsIn(value, name, DEPTH));
}

function listsIn(value: unknown, name: string, depth: number): readonly NamedList[] {
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  if (Array.isArray(value)) {
    const items = value.filter(isItem);
    return items.length > 0 && items.length === value.length ? [{ name, items }] : [];
  }
  return Object.entries(value).flatMap(([member, inner]) => {
    const listName = ['contents', 'threads', 'results'].includes(member) ? name : `${name} ${member}`;
    return listsIn(inner, listName, depth - 1);
  });
}

function isItem(value: unknown): value is ListItem {
  if (typeof value !== 'object' || value === null) return false;
  return 'id' in value && typeof value.id === 'string' && 'type' in value && typeof value.type === 'string';
}
