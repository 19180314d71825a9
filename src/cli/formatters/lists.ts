import type { KnownMetadata, ListItem } from '../../contract/metadata.ts';

/** A list in a response. */
interface NamedList {
  /** Its heading: `Related`, `Channel videos`. */
  readonly name: string;
  readonly items: readonly ListItem[];
}

/** Members that only contain lists, so headings leave them out. */
const containers = new Set(['additionalData', 'contents', 'threads', 'results']);

/** Maximum depth at which lists are nested, as in `channel.videos.contents`. */
const DEPTH = 3;

/** Returns every list of items in the metadata, named after the members that lead to it. */
export function listsOf(metadata: KnownMetadata): readonly NamedList[] {
  return Object.entries(metadata).flatMap(([member, value]) => listsIn(value, [member], DEPTH));
}

function listsIn(value: unknown, path: readonly string[], depth: number): readonly NamedList[] {
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  if (Array.isArray(value)) {
    const items = value.filter(isItem);
    return items.length > 0 && items.length === value.length ? [{ name: headingOf(path), items }] : [];
  }
  return Object.entries(value).flatMap(([member, inner]) => listsIn(inner, [...path, member], depth - 1));
}

/** Turns the path of a list into words: `additionalData.searchResults.results` into "Search results". */
function headingOf(path: readonly string[]): string {
  const names = path.filter((member) => !containers.has(member));
  const words = names
    .join(' ')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function isItem(value: unknown): value is ListItem {
  if (typeof value !== 'object' || value === null) return false;
  return 'id' in value && typeof value.id === 'string' && 'type' in value && typeof value.type === 'string';
}
