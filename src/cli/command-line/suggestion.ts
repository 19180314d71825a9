/** Returns the candidate that a mistyped word probably means; undefined if none is similar. */
export function suggestionFor(word: string, candidates: readonly string[]): string | undefined {
  const [best] = candidates
    .map((candidate) => ({
      candidate,
      distance: candidate.startsWith(word) ? 1 : levenshteinDistance(word, candidate),
    }))
    .toSorted((a, b) => a.distance - b.distance);
  return best !== undefined && best.distance <= Math.max(1, word.length / 3) ? best.candidate : undefined;
}

/** Returns the Levenshtein distance between two words. */
function levenshteinDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [index, letter] of [...one.slice(0, 50)].entries()) {
    let corner = index;
    const next = [index + 1];
    for (const [at, above] of row.slice(1).entries()) {
      next.push(Math.min(above + 1, (next[at] ?? 0) + 1, corner + Number(letter !== other[at])));
      corner = above;
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
