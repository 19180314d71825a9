import { createHash } from 'node:crypto';
import type { ByteSource } from './byte-source.ts';

/** Bytes per read. */
const blockBytes = 1024 * 1024;

/** Returns a digest of the bytes of a file from `from` up to, but not including, `to`. */
export function digestRange(source: ByteSource, from: number, to: number): string {
  const hash = createHash('sha256');
  for (let at = from; at < to; at += blockBytes) hash.update(source.read(at, Math.min(blockBytes, to - at)));
  return hash.digest('base64');
}
