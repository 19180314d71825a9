/** First strong isolate and pop directional isolate (Unicode UAX 9, §2.4). */
const OPEN = '\u2068';
const CLOSE = '\u2069';

/** Matches what is not simply read from left to right, as all languages of the page are: marks, and letters of others. */
const otherDirection =
  /[\p{Bidi_Control}\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Isolates a text of a site within a sentence: no mark in it changes the direction or the order of the words around it.
 * An element `<bdi>` does the same where the text has an element to itself.
 */
export function isolate(text: string): string {
  if (!otherDirection.test(text)) return text;
  let depth = 0;
  // A mark in the text must not close the isolate, and one that it opens ends with it.
  const balanced = text.replace(/[\u2066-\u2069]/g, (mark) => {
    if (mark === CLOSE && depth === 0) return '';
    depth += mark === CLOSE ? -1 : 1;
    return mark;
  });
  return OPEN + balanced + CLOSE.repeat(depth + 1);
}
