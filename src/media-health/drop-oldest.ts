/**
 * Deletes the oldest entry of a map that has more than `maximum`, and returns its key. A map keeps the order in which its
 * keys were added.
 */
export function dropOldest(map: Map<string, unknown>, maximum: number): string | undefined {
  if (map.size <= maximum) return undefined;
  const oldest = map.keys().next();
  if (oldest.done) return undefined;
  map.delete(oldest.value);
  return oldest.value;
}
