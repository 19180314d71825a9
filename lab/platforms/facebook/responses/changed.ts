import type { QueryResult } from '../page.ts';

/** Returns a result with a structure that no parser knows: an operation and members of other names. */
export function changedResult({ operation, data, extensions: _dropped, ...result }: QueryResult): QueryResult {
  return { ...result, operation: `Hologram${operation}`, data: renamed(data) };
}

/** Renames every member of a value except its IDs. */
function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name === 'id' ? name : `lab_${name}`, renamed(member)]),
  );
}
