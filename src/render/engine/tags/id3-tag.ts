import { latin1, u16 } from '../binary/big-endian.ts';
import type { ByteSource } from '../binary/byte-source.ts';
import { decline } from '../binary/fast-path-declined.ts';

/**
 * Maximum size of a tag without its padding, in bytes. A tag with several cover images takes a few megabytes, and a result
 * that is padded to a size much more.
 */
const maxTagBytes = 32 * 1024 * 1024;

/** Size of the header of a tag and of each of its frames, in bytes. */
export const headerBytes = 10;

/**
 * Reads a number of four bytes with seven bits each. ID3 stores sizes in this form so that no size looks like the start
 * of audio.
 */
export function readSynchsafe(bytes: Buffer): number {
  return bytes.reduce((value, byte) => value * 128 + (byte & 0x7f), 0);
}

/** Encodes a number for {@link readSynchsafe}. */
export function synchsafe(value: number): Buffer {
  return Buffer.from([21, 14, 7, 0].map((bits) => (value >> bits) & 0x7f));
}

/** A frame of a tag. */
interface Frame {
  readonly id: string;
  readonly body: Buffer;
}

/**
 * Returns the frames of an ID3v2 tag at the given offset of a file; none without a tag.
 *
 * @throws FastPathDeclined if the tag is too large.
 */
export function* readTag(source: ByteSource, offset = 0): Generator<Frame & { readonly version: number }> {
  const head = source.read(offset, headerBytes);
  if (head.length < headerBytes || head.toString('latin1', 0, 3) !== 'ID3') return;
  const [version, flags] = [head.readUInt8(3), head.readUInt8(5)];
  if (version !== 3 && version !== 4) return;
  const size = readSynchsafe(head.subarray(6));
  const rawTag = source.read(offset + headerBytes, Math.min(size, maxTagBytes));
  const tag = version === 3 && (flags & 0x80) !== 0 ? removeUnsynchronization(rawTag) : rawTag;
  const extension = (flags & 0x40) === 0 ? 0 : extensionBytes(tag, version);
  const frames = tag.subarray(extension);
  let framesEnd = 0;
  for (const { id, body, end } of readFrames(frames, version)) {
    framesEnd = end;
    yield { id, body, version };
  }
  if (size > maxTagBytes && !isPadding(frames.subarray(framesEnd))) decline('its tag is too large');
}

/** Yields the frames of a tag, up to the padding or anything else that is not a frame. */
export function* readFrames(tag: Buffer, version: number): Generator<Frame & { readonly end: number }> {
  for (let offset = 0; offset + headerBytes <= tag.length; ) {
    const id = tag.toString('latin1', offset, offset + 4);
    if (!/^[A-Z0-9]{4}$/.test(id)) return;
    const size = version === 4 ? readSynchsafe(tag.subarray(offset + 4, offset + 8)) : tag.readUInt32BE(offset + 4);
    const end = offset + headerBytes + size;
    if (end > tag.length) return;
    const body = readPlainBody(tag.subarray(offset + headerBytes, end), tag.readUInt8(offset + 9), version);
    if (body !== undefined) yield { id, body, end };
    offset = end;
  }
}

/**
 * ID of a frame that only pads a tag. IDs that begin with X are for experiments, and readers ignore those that they do not
 * know (ID3v2.4.0 §4). Some readers take every ten zeros at the end of a tag for a damaged frame.
 */
const paddingId = 'XPAD';

/** Builds the header of a frame of padding. Programs that change the tag are to discard it (§4.1.1). */
export function paddingFrameHeader(bytes: number): Buffer {
  return Buffer.concat([latin1(paddingId), synchsafe(bytes - headerBytes), u16(0x4000)]);
}

/** Whether the rest of a tag is padding. */
function isPadding(rest: Buffer): boolean {
  return rest[0] === 0 || rest.toString('latin1', 0, paddingId.length) === paddingId;
}

/** Returns the contents of a frame; undefined when it is compressed or encrypted. */
function readPlainBody(rawBody: Buffer, flags: number, version: number): Buffer | undefined {
  if (version === 3) return (flags & 0xc0) === 0 ? rawBody : undefined;
  if ((flags & 0x0c) !== 0) return undefined;
  // The contents may be preceded by the group number and the length.
  const body = rawBody.subarray(((flags & 0x40) === 0 ? 0 : 1) + ((flags & 1) === 0 ? 0 : 4));
  return (flags & 2) === 0 ? body : removeUnsynchronization(body);
}

/** Removes the zeros that keep a tag from looking like the start of audio (ID3v2.4 §6.1). */
function removeUnsynchronization(bytes: Buffer): Buffer {
  return Buffer.from(bytes.filter((byte, at) => byte !== 0 || bytes[at - 1] !== 0xff));
}

function extensionBytes(tag: Buffer, version: number): number {
  if (tag.length < 4) return 0;
  return version === 4 ? readSynchsafe(tag.subarray(0, 4)) : 4 + tag.readUInt32BE(0);
}

/** Decodes the text of a frame, which begins with a byte for its encoding, into its parts. A zero ends each part. */
export function decodeTexts(body: Buffer): string[] {
  const [encoding, text] = [body[0], body.subarray(1)];
  const bigEndian = encoding === 2 || text.toString('latin1', 0, 2) === '\xfe\xff';
  const wide = encoding === 1 || encoding === 2;
  const name = wide ? (bigEndian ? 'utf-16be' : 'utf-16le') : encoding === 3 ? 'utf-8' : 'latin1';
  return new TextDecoder(name).decode(text).split('\0');
}

/** Marks the text of a frame as UTF-8. */
export const utf8 = Buffer.of(3);

/** Builds an ID3v2.4 frame. */
export function frame(id: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([latin1(id), synchsafe(body.length), u16(0), body]);
}

/** Builds an ID3v2.4 tag. */
export function id3Tag(frames: Buffer): Buffer {
  return Buffer.concat([id3Header(frames.length), frames]);
}

/** Builds the header of an ID3v2.4 tag with a number of bytes after it. */
export function id3Header(bytes: number): Buffer {
  return Buffer.concat([latin1('ID3'), Buffer.of(4, 0, 0), synchsafe(bytes)]);
}
