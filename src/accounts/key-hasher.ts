import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { KeyKind } from '../contract/key-kinds.ts';

/** The hashes of a key. */
export interface KeyHashes {
  /** By the secrets of {@link KeySecrets.hashing}, newest first. */
  readonly own: readonly string[];
  /** By the signing secrets, newest first. Earlier versions stored and looked up only these. */
  readonly signing: readonly string[];
}

/** The secrets that keys are hashed with, each newest first and with at least one member. */
export interface KeySecrets {
  readonly hashing: readonly string[];
  readonly signing: readonly string[];
}

/** Returns a new random key. */
export function generateKey(kind: KeyKind): string {
  return `mr_${kind === 'render' ? 'r' : 'x'}_${randomBytes(24).toString('base64url')}`;
}

/**
 * Creates the function that hashes keys for storage and lookup: HMAC-SHA-256 with each of the secrets, so that secrets
 * can be rotated. The stored hashes reveal no key, and comparisons leak no timing.
 */
export function createKeyHasher({ hashing, signing }: KeySecrets): (kind: KeyKind, key: string) => KeyHashes {
  const [ownKeys, signingKeys] = [hashing.map(hmacKeyOf), signing.map(hmacKeyOf)];
  return (kind, key) => {
    const hash = (hmacKey: Buffer) => createHmac('sha256', hmacKey).update(`${kind}\0${key}`).digest('hex');
    return { own: ownKeys.map(hash), signing: signingKeys.map(hash) };
  };
}

function hmacKeyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'millrace', 'api-key', 32));
}
