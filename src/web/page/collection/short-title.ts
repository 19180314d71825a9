const MAX_TITLE = 140;

/** Returns the first line of a text, shortened to the length of a title. */
export function shortTitle(text: string): string {
  const line = text.trimStart().split('\n', 1)[0]?.trimEnd() ?? '';
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE)}…` : line;
}
