const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Returns the number of a post: its code read in base 64. */
export function numberOf(code: string): string {
  return `${[...code].reduce((sum, character) => sum * 64n + BigInt(alphabet.indexOf(character)), 0n)}`;
}

/** Returns the code of a post's number. */
export function codeOf(number: string): string {
  let rest = BigInt(number);
  let code = '';
  for (; rest > 0n; rest /= 64n) code = `${alphabet[Number(rest % 64n)]}${code}`;
  return code;
}

/** Number of characters after the code in links to posts of private accounts. */
export const privateTail = 28;

/** Returns whether a text can be a post's code, including the longer codes of private posts. */
export function isCode(text: string): boolean {
  return /^[A-Za-z0-9_-]{5,64}$/.test(text);
}
