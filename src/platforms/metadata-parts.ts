import type { ContentMetadata } from '../contract/envelope.ts';
import { dig } from '../parsing/values.ts';
import type { PartPath } from './platform.ts';

/** Returns a part of metadata; undefined if it is missing. */
export function partAt(metadata: ContentMetadata, path: PartPath): unknown {
  return dig(metadata, ...path);
}

/** Returns metadata without some of its parts. The positions in the paths are those before any part is removed. */
export function withoutParts(metadata: ContentMetadata, paths: readonly PartPath[]): ContentMetadata {
  // Members and entries are only removed, never changed.
  return remove(metadata, paths) as ContentMetadata;
}

function remove(value: unknown, paths: readonly PartPath[]): unknown {
  if (paths.length === 0 || typeof value !== 'object' || value === null) return value;
  const pathsByStep = Map.groupBy(paths, ([step]) => String(step));
  const kept = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const inner = (pathsByStep.get(name) ?? []).map(([_step, ...rest]) => rest);
    return inner.some((path) => path.length === 0) ? [] : [[name, remove(member, inner)]];
  });
  return Array.isArray(value) ? kept.map(([, member]) => member) : Object.fromEntries(kept);
}
