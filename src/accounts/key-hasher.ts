import { createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** The kinds of keys: for the extraction API or the direct job API. */
export const keyKinds = ['extraction', 'render'] as const;

/** The kind of a key. */
export type KeyKind = (typeof keyKinds)[number];

/** Returns a new random key. */
export function generateKey(kind: KeyKind): string {
  return `mr_${kind === 'render' ? 'r' : 'x'}_${randomBytes(24).toString('base64url')}`;
}

/**
 * Creates the function that hashes keys for storage and lookup: HMAC-SHA-256 with each of the secrets, newest first, so
 * that secrets can be rotated. The stored hashes reveal no key, and comparisons leak no timing.
 */
export function createKeyHasher(secrets: readonly string[]): (kind: KeyKind, key: string) => string[] {
  const hmacKeys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, 'millrace', 'api-key', 32)));
  return (kind, key) =>
    hmacKeys.map((hmacKey) => createHmac('sha256', hmacKey).update(`${kind}\0${key}`).digest('hex'));
}
