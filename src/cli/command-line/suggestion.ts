/** Returns the candidate that a mistyped word probably means; undefined if none is similar. */
export function suggestionFor(word: string, candidates: readonly string[]): string | undefined {
  const [best] = candidates
    .map((candidate) => ({
      candidate,
      distance: candidate.startsWith(word) ? 1 : editDistance(word, candidate),
    }))
    .toSorted((a, b) => a.distance - b.distance);
  return best !== undefined && best.distance <= Math.max(1, word.length / 3) ? best.candidate : undefined;
}

/** Returns the Damerau–Levenshtein distance between two words, in which swapped neighbours count as one change. */
function editDistance(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  const letters = [...one.slice(0, 50)];
  for (const [index, letter] of letters.entries()) {
    const next = [index + 1];
    for (let at = 0; at < other.length; at += 1) {
      const changed = (row[at] ?? 0) + Number(letter !== other[at]);
      const isSwapped = index > 0 && letter === other[at - 1] && letters[index - 1] === other[at];
      const swapped = isSwapped ? (before[at - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min((row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1, changed, swapped));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
