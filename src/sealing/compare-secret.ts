import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares a text with a secret in constant time. */
export function matchesSecret(text: string, secret: string): boolean {
  return timingSafeEqual(digest(text), digest(secret));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Returns the token of an `Authorization: Bearer` header, if there is one. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1];
}
