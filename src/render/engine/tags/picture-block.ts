import { latin1, u32 } from '../binary/big-endian.ts';
import { FieldReader } from '../binary/field-reader.ts';
import type { Cover } from './cover.ts';

/** The type of a picture that is a front cover, in FLAC and ID3. */
export const frontCover = 3;

/** Returns a cover as a FLAC picture, without the header of its metadata block (RFC 9639 §8.8). */
export function pictureBlock({ bytes, type, width, height }: Cover): Buffer {
  return Buffer.concat([
    u32(frontCover, type.length),
    latin1(type),
    // No description. The depth is that of an image without transparency, and 0 means no palette.
    u32(0, width, height, 24, 0, bytes.length),
    bytes,
  ]);
}

/**
 * Returns the image in a FLAC picture.
 *
 * @throws FastPathDeclined if the picture is damaged.
 */
export function readPictureBlock(block: Buffer): Buffer {
  const fields = new FieldReader(block);
  fields.skip(4);
  fields.skip(fields.u32());
  fields.skip(fields.u32());
  fields.skip(16);
  return fields.bytes(fields.u32());
}
