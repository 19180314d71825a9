import { createCipheriv, createHash } from 'node:crypto';
import type { Title } from '../media/titles.ts';
import { bytesContent, type Content, contentBytes } from './content.ts';
import type { Vector } from './hls-catalogue.ts';

/** Returns an AES-128 key of a title by its number, from 1: 16 bytes derived from the title. */
export function segmentKey(title: Title, number: number): Buffer {
  return digest(`key ${number} of ${title.name}`);
}

/** Returns the 16-byte initialization vector that the playlist specifies for the segments encrypted with a key. */
export function explicitVector(title: Title, keyNumber: number): Buffer {
  return digest(`vector ${keyNumber} of ${title.name}`);
}

/**
 * Encrypts a segment with AES-128-CBC and PKCS7 padding (RFC 8216 §4.3.2.4). If no vector is given, the segment's
 * sequence number is the vector (§5.2).
 */
export async function encryptSegment(
  segment: Content,
  { title, number, keyNumber, iv }: { title: Title; number: number; keyNumber: number; iv: Vector },
): Promise<Content> {
  const sequenceVector = Buffer.alloc(16);
  sequenceVector.writeUInt32BE(number, 12);
  const vector = iv === 'explicit' ? explicitVector(title, keyNumber) : sequenceVector;
  const cipher = createCipheriv('aes-128-cbc', segmentKey(title, keyNumber), vector);
  return bytesContent(Buffer.concat([cipher.update(await contentBytes(segment)), cipher.final()]), segment.type);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, 16);
}
