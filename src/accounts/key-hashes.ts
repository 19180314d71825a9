import { createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** What a key opens: the extraction API, or the direct job API. */
export const keyKinds = ['extraction', 'render'] as const;

/** What a key opens. */
export type KeyKind = (typeof keyKinds)[number];

/** A new random key. */
export function newKey(kind: KeyKind): string {
  return `mr_${kind === 'render' ? 'r' : 'x'}_${randomBytes(24).toString('base64url')}`;
}

/**
 * How keys are stored and found: by their HMAC-SHA-256 under each of the secrets, the newest first, so that secrets can
 * be replaced. Whoever reads the table has no key, and nobody can find a key by how long a comparison takes.
 */
export function createKeyHashes(secrets: readonly string[]): (kind: KeyKind, key: string) => string[] {
  const hmacKeys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, 'millrace', 'api-key', 32)));
  return (kind, key) =>
    hmacKeys.map((hmacKey) => createHmac('sha256', hmacKey).update(`${kind}\0${key}`).digest('hex'));
}
