import type { KnownMetadata } from '../../contract/metadata.ts';
import { formatTable } from '../terminal/table.ts';

/** Longer texts are only printed with `--json`. */
const MAX_TEXT = 200;

const parts = ['author', 'channel', 'playlist', 'hashtag', 'post'] as const;

/** Formats the metadata of a person, a channel, a list or a post as a table of names and values. */
export function metadataTable(metadata: KnownMetadata): string {
  return formatTable(parts.flatMap((part) => rowsIn(metadata[part], 2)));
}

function rowsIn(value: unknown, depth: number): string[][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth === 0) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name === 'nextToken') return [];
    if (typeof inner === 'object') return rowsIn(inner, depth - 1);
    const text = String(inner);
    return [[name, text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text]];
  });
}
