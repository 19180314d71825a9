/**
 * Removes the given characters from the end of a text, in linear time. A pattern such as `/\.+$/` retries at each
 * character of a run that is not at the end, which takes quadratic time.
 *
 * @param characters Single UTF-16 code units, in any order.
 */
export function trimTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
