/** Returns the lines of a text one at a time, so that few are in memory. */
export function* linesOf(text: string): Generator<string, void> {
  for (let at = 0; at <= text.length; ) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    yield text.slice(at, end);
    at = end + 1;
  }
}
