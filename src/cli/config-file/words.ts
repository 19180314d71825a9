/**
 * Splits a line of a config file into words, as a shell does. Quotes keep spaces together, and a backslash outside single
 * quotes keeps the next character. `#` at the start of a word begins a comment. Returns undefined if a quote is not closed.
 */
export function splitWords(line: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  let isEscaped = false;
  for (const character of line) {
    if (isEscaped) {
      word = `${word ?? ''}${character}`;
      isEscaped = false;
    } else if (character === '\\' && quote !== "'") {
      isEscaped = true;
    } else if (quote !== '') {
      if (character === quote) quote = '';
      else word = `${word ?? ''}${character}`;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === '#' && word === undefined) {
      return words;
    } else {
      word = `${word ?? ''}${character}`;
    }
  }
  if (quote !== '' || isEscaped) return undefined;
  return word === undefined ? words : [...words, word];
}
