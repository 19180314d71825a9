const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The number of a post: its code read in base 64. */
export function numberOf(code: string): string {
  return `${[...code].reduce((sum, character) => sum * 64n + BigInt(alphabet.indexOf(character)), 0n)}`;
}

/** The code of a post's number. */
export function codeOf(number: string): string {
  let rest = BigInt(number);
  let code = '';
  for (; rest > 0n; rest /= 64n) code = `${alphabet[Number(rest % 64n)]}${code}`;
  return code;
}

/** Characters that links to posts of private accounts carry behind the code. */
export const privateTail = 28;

/** Whether a text can be a post's code; with the tail of a private one it is longer. */
export function isCode(text: string): boolean {
  return /^[A-Za-z0-9_-]{5,64}$/.test(text);
}
