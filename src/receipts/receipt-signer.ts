import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign } from 'node:crypto';
import type { Receipt, ReceiptKey, ReceiptStatement } from '../contract/receipt.ts';

/** `typ` of the header of a receipt, so that no other signature of the same key passes for one (RFC 8725 §3.11). */
export const receiptType = 'millrace-receipt+json';

/** The DER encoding of an Ed25519 private key, up to its 32 bytes (RFC 8410 §7). */
const privateKeyPrefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Signs receipts. */
export interface ReceiptSigner {
  /** The key that signs. */
  readonly key: ReceiptKey;
  /** The public keys of all secrets, the signing one first. */
  readonly keys: readonly ReceiptKey[];
  /** Returns a receipt with this statement, as JSON. */
  sign(statement: ReceiptStatement): string;
}

/**
 * Creates the signer of a service. Each secret has its own Ed25519 key (HKDF-SHA-256), so all nodes have the same keys
 * without storing any. The first secret signs.
 */
export function createReceiptSigner(secrets: readonly string[]): ReceiptSigner {
  const [first, ...others] = secrets.map(keyPairOf);
  if (first === undefined) throw new Error('A signer of receipts needs at least one secret.');
  const header = encode(JSON.stringify({ alg: 'EdDSA', kid: first.publicKey.kid, typ: receiptType }));
  return {
    key: first.publicKey,
    keys: [first, ...others].map(({ publicKey }) => publicKey),
    sign(statement) {
      const payload = encode(JSON.stringify(statement));
      const signature = sign(null, signedBytes(header, payload), first.privateKey).toString('base64url');
      return JSON.stringify({ payload, protected: header, signature } satisfies Receipt);
    },
  };
}

/** Returns the bytes that a signature covers (RFC 7515 §5.1). */
export function signedBytes(header: string, payload: string): Buffer {
  return Buffer.from(`${header}.${payload}`);
}

/** Returns the public key with these bytes in base64url. */
export function receiptKeyOf(x: string): ReceiptKey {
  return { kty: 'OKP', crv: 'Ed25519', x, kid: thumbprintOf(x), alg: 'EdDSA', use: 'sig' };
}

/** Returns the thumbprint of a public key: the hash of its required members in alphabetical order (RFC 7638 §3). */
export function thumbprintOf(x: string): string {
  const members = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x });
  return createHash('sha256').update(members).digest('base64url');
}

function keyPairOf(secret: string): { readonly privateKey: KeyObject; readonly publicKey: ReceiptKey } {
  const seed = Buffer.from(hkdfSync('sha256', secret, 'millrace', 'receipt', 32));
  const privateKey = createPrivateKey({ key: Buffer.concat([privateKeyPrefix, seed]), format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { privateKey, publicKey: receiptKeyOf(x) };
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}
