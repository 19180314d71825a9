/**
 * Replaces a secret by a constant of the same length and form: nines for a number, or else the letter a. Separators and
 * escapes stay, so that a reader of the value still accepts it.
 */
export function mask(secret: string): string {
  if (/^\d+$/.test(secret)) return '9'.repeat(secret.length);
  return secret.replace(/%(?:25){0,3}[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|[A-Za-z0-9]/g, (part) =>
    part.length === 1 ? 'a' : part,
  );
}
