import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** The purpose of a sealed text. Each purpose has its own key, so that no text is valid for another. */
export type SealPurpose =
  | 'execution-url'
  | 'file-link'
  | 'job-description'
  | 'job-list-cursor'
  | 'kept-result'
  | 'newer-job-description'
  | 'page-token'
  | 'relay-link'
  | 'stored-order'
  | 'webhook'
  | 'webhook-event';

/** Encrypts data into opaque, tamper-proof texts that only this service can open. */
export interface Sealer {
  /** Seals JSON data into URL-safe characters. */
  seal(purpose: SealPurpose, data: unknown): string;
  /**
   * Opens a text from {@link seal}. Returns undefined if it is forged, altered, for another purpose or from an unknown
   * secret.
   */
  open(purpose: SealPurpose, text: string): unknown;
}

const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MAX_OPENED_BYTES = 1024 * 1024;

/**
 * Creates a sealer. The first secret seals and all of them open, so that secrets can be rotated without invalidating
 * existing texts. It uses AES-256-GCM with a key per purpose (HKDF-SHA-256), and deflates the data first to keep URLs
 * short.
 */
export function createSealer(secrets: readonly string[]): Sealer {
  const [first, ...others] = secrets.map(keyring);
  if (first === undefined) throw new Error('A sealer needs at least one secret.');
  const byId = new Map([...others, first].map((ring) => [ring.id.toString('hex'), ring]));
  return {
    seal(purpose, data) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', first.keyFor(purpose), nonce);
      const body = Buffer.concat([cipher.update(deflateRawSync(JSON.stringify(data))), cipher.final()]);
      return Buffer.concat([first.id, nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    open(purpose, text) {
      const bytes = Buffer.from(text, 'base64url');
      const ring = byId.get(bytes.subarray(0, KEY_ID_BYTES).toString('hex'));
      if (ring === undefined || bytes.length <= KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES) return undefined;
      const [nonce, tag, body] = splitBytes(bytes.subarray(KEY_ID_BYTES), NONCE_BYTES, TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', ring.keyFor(purpose), nonce, { authTagLength: TAG_BYTES });
      decipher.setAuthTag(tag);
      try {
        const compressedJson = Buffer.concat([decipher.update(body), decipher.final()]);
        return JSON.parse(inflateRawSync(compressedJson, { maxOutputLength: MAX_OPENED_BYTES }).toString());
      } catch {
        // The text is forged or altered; callers do not learn which.
        return undefined;
      }
    },
  };
}

function keyring(secret: string) {
  const keys = new Map<SealPurpose, Buffer>();
  return {
    id: createHash('sha256').update(`millrace key id\0${secret}`).digest().subarray(0, KEY_ID_BYTES),
    keyFor(purpose: SealPurpose): Buffer {
      const existing = keys.get(purpose);
      if (existing !== undefined) return existing;
      const key = Buffer.from(hkdfSync('sha256', secret, 'millrace', purpose, 32));
      keys.set(purpose, key);
      return key;
    },
  };
}

function splitBytes(bytes: Buffer, first: number, second: number): [Buffer, Buffer, Buffer] {
  return [bytes.subarray(0, first), bytes.subarray(first, first + second), bytes.subarray(first + second)];
}
