import { type Attributes, parseAttributes } from './attribute-list.ts';
import { playlistFault } from './playlist-fault.ts';
import type { UriResolver } from './uri-resolver.ts';

/** How segments are encrypted (RFC 8216 §4.3.2.4). */
export interface PlaylistKey {
  /** `AES-128`, `SAMPLE-AES` and others; never `NONE`. */
  readonly method: string;
  /** `identity` if the key is the 16 bytes at {@link url}; any other value names a DRM system. */
  readonly keyFormat: string;
  /** URL of the key; absent for DRM systems, whose URIs (`skd:`, `data:`) are for their own clients. */
  readonly url?: string;
  /** 16 bytes; if absent, {@link initializationVector} derives it. */
  readonly iv?: Uint8Array<ArrayBuffer>;
}

/**
 * Parses `EXT-X-KEY` or `EXT-X-SESSION-KEY`. Returns undefined for `METHOD=NONE`.
 *
 * @throws MillraceError `invalid_response_data` if the method is missing, the initialization vector is not 128 bits, or
 * a plain key has no http URL.
 */
export function parseKey(value: string, line: number, resolve: UriResolver): PlaylistKey | undefined {
  const attributes = parseAttributes(value, line);
  const method = attributes.get('METHOD');
  if (method === undefined || method === '') throw playlistFault(line, 'has a key without METHOD');
  if (method === 'NONE') return undefined;
  const keyFormat = attributes.get('KEYFORMAT') ?? 'identity';
  const iv = parseVector(attributes, line);
  return {
    method,
    keyFormat,
    ...(keyFormat === 'identity' ? { url: keyUrl(attributes, line, resolve) } : {}),
    ...(iv === undefined ? {} : { iv }),
  };
}

/** Whether a key is plain AES-128 with a URL from which any client can fetch it. Other keys belong to DRM systems. */
export function isPlainKey(key: PlaylistKey): key is PlaylistKey & { readonly url: string } {
  return key.method === 'AES-128' && key.keyFormat === 'identity' && key.url !== undefined;
}

/**
 * Returns the initialization vector of a segment: that of the key, or else the media sequence number as 128 bits,
 * big-endian.
 */
export function initializationVector(key: PlaylistKey, sequence: number): Uint8Array<ArrayBuffer> {
  if (key.iv !== undefined) return key.iv;
  const vector = new Uint8Array(16);
  new DataView(vector.buffer).setBigUint64(8, BigInt(sequence));
  return vector;
}

function keyUrl(attributes: Attributes, line: number, resolve: UriResolver): string {
  const uri = attributes.get('URI');
  if (uri === undefined || uri === '') throw playlistFault(line, 'has a key without URI');
  return resolve(uri, line);
}

function parseVector(attributes: Attributes, line: number): Uint8Array<ArrayBuffer> | undefined {
  const text = attributes.get('IV');
  if (text === undefined) return undefined;
  if (!/^0x[0-9a-f]{1,32}$/i.test(text))
    throw playlistFault(line, 'has an IV that is not a 128-bit hexadecimal number');
  return new Uint8Array(Buffer.from(text.slice(2).padStart(32, '0'), 'hex'));
}
