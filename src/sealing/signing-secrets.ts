import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether a caller's text is the secret, in a time that tells nothing of how much of it is right. */
export function isSecret(text: string, secret: string): boolean {
  return timingSafeEqual(digest(text), digest(secret));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The token of `Authorization: Bearer`, if there is one. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1];
}
