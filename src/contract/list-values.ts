/**
 * Returns the values of a csv parameter, which a caller may send as a comma-separated list, as a repeated parameter, or
 * as both. Empty values count as absent, and duplicates are left out.
 *
 * @param value The parameter in a parsed query: undefined, a text, or a list of texts if it is repeated.
 */
export function listValues(value: unknown): string[] {
  const parts = [value ?? []].flat().flatMap((text) => String(text).split(','));
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))];
}
