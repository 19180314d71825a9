import { decline } from '../binary/fast-path-declined.ts';
import type { Cover } from './cover.ts';
import { pictureBlock, readPictureBlock } from './picture-block.ts';
import type { StoredAdditions } from './stored-additions.ts';
import { cleanTags, type TagName, type Tags, tagNames } from './tags.ts';

/** A comment: its name and its value. */
export type Comment = readonly [name: string, value: string];

/** Names of tags in Vorbis comments that differ from their names elsewhere (https://wiki.xiph.org/VorbisComment). */
const ownNames: Partial<Record<TagName, string>> = {
  album_artist: 'ALBUMARTIST',
  track: 'TRACKNUMBER',
  disc: 'DISCNUMBER',
  // As yt-dlp writes it.
  url: 'PURL',
};
const pictureName = 'METADATA_BLOCK_PICTURE';
/** Maximum length of a comment that is not a picture, in bytes. */
const maxText = 64 * 1024;
/** Maximum number of comments in a file. */
const maxComments = 20_000;

/** Returns tags as comments. */
export function tagComments(tags: Tags): Comment[] {
  return tagNames.flatMap((name) => {
    const value = tags[name];
    return value === undefined ? [] : [[ownNames[name] ?? name.toUpperCase(), value]];
  });
}

/** Returns a cover as a comment (https://wiki.xiph.org/VorbisComment#Cover_art). */
export function coverComment(cover: Cover): Comment {
  return [pictureName, pictureBlock(cover).toString('base64')];
}

/** Encodes comments, each preceded by its length (Vorbis I §5.2.1). */
export function encodeComments(comments: readonly Comment[]): Buffer {
  return Buffer.concat(
    comments.flatMap(([name, value]) => {
      const bytes = Buffer.from(`${name}=${value}`);
      const size = Buffer.alloc(4);
      size.writeUInt32LE(bytes.length);
      return [size, bytes];
    }),
  );
}

/**
 * Reads the tags and the cover in a comment header.
 *
 * @param header - the header from the length of the vendor's name on.
 * @throws FastPathDeclined if it is damaged.
 */
export function readCommentTags(header: Buffer): StoredAdditions {
  const values = new Map<string, string[]>();
  let cover: Buffer | undefined;
  for (const [name, value] of readComments(header)) {
    if (name === pictureName) cover ??= readPictureBlock(Buffer.from(value.toString('latin1'), 'base64'));
    else values.set(name, [...(values.get(name) ?? []), value.toString('utf8', 0, maxText)]);
  }
  const tags = tagNames.flatMap((name) => {
    const texts = values.get(ownNames[name] ?? '') ?? values.get(name.toUpperCase());
    // A comment may occur several times, for example once for each artist.
    return texts === undefined ? [] : [[name, texts.join('; ')] as const];
  });
  return { tags: cleanTags(Object.fromEntries(tags)), ...(cover === undefined ? {} : { cover }) };
}

/**
 * Yields the comments of a header, with names in upper case.
 *
 * @throws FastPathDeclined if it is cut short or has too many comments.
 */
export function* readComments(header: Buffer): Generator<readonly [name: string, value: Buffer]> {
  for (const { bytes } of commentFields(header)) {
    const separator = bytes.subarray(0, 256).indexOf('=');
    if (separator > 0) yield [bytes.toString('latin1', 0, separator).toUpperCase(), bytes.subarray(separator + 1)];
  }
}

/** Yields the comments of a header with their offsets, which include their length fields. */
function* commentFields(header: Buffer): Generator<{ readonly offset: number; readonly bytes: Buffer }> {
  let at = 0;
  const number = () => {
    if (at + 4 > header.length) decline('its comments are cut short');
    at += 4;
    return header.readUInt32LE(at - 4);
  };
  const text = () => {
    const size = number();
    if (size > header.length - at) decline('its comments are cut short');
    at += size;
    return header.subarray(at - size, at);
  };
  // Skips the name of the program that wrote the comments.
  text();
  const count = number();
  if (count > maxComments) decline('it has too many comments');
  for (let remaining = count; remaining > 0; remaining -= 1) {
    const offset = at;
    yield { offset, bytes: text() };
  }
}

/** Name of the comment that a muxer writes in place of others. */
const placeholderName = 'X';

/**
 * Returns a comment that takes as many bytes in a header as the given encoded comments. A muxer writes it, because
 * FFmpeg would rename some comments: it reads a description as a comment, and stores only one of the two.
 */
export function placeholder(comments: Buffer): Record<string, string> {
  return { [placeholderName]: 'x'.repeat(comments.length - 4 - placeholderName.length - 1) };
}

/**
 * Replaces the placeholder in a header, which keeps its length.
 *
 * @param header - as for {@link readCommentTags}. It is changed.
 */
export function fillPlaceholder(header: Buffer, comments: readonly Comment[]): void {
  const encoded = encodeComments(comments);
  const fields = [...commentFields(header)];
  const found = fields.find(({ bytes }) => {
    return bytes.length + 4 === encoded.length && bytes.toString('latin1', 0, 3) === `${placeholderName}=x`;
  });
  if (found === undefined) throw new Error('the muxer left no room for comments');
  const countOffset = 4 + header.readUInt32LE(0);
  header.writeUInt32LE(fields.length - 1 + comments.length, countOffset);
  encoded.copy(header, found.offset);
}
