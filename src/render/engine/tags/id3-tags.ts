import { parseUrl } from '../../../contract/parse-url.ts';
import { latin1 } from '../binary/big-endian.ts';
import type { ByteSource } from '../binary/byte-source.ts';
import { decline } from '../binary/fast-path-declined.ts';
import type { Cover } from './cover.ts';
import { decodeTexts, frame, readTag, utf8 } from './id3-tag.ts';
import { frontCover } from './picture-block.ts';
import type { StoredAdditions } from './stored-additions.ts';
import { cleanTags, type TagName, type Tags } from './tags.ts';

/** The text frames of tags (ID3v2.4 §4.2). */
const textFrames = {
  title: 'TIT2',
  artist: 'TPE1',
  album: 'TALB',
  album_artist: 'TPE2',
  date: 'TDRC',
  genre: 'TCON',
  track: 'TRCK',
  disc: 'TPOS',
  composer: 'TCOM',
  copyright: 'TCOP',
} as const satisfies Partial<Record<TagName, string>>;
const textFrameNames = Object.keys(textFrames) as (keyof typeof textFrames)[];

/** Tags that ID3 has no frame for, by the names under which FFmpeg and yt-dlp write them. */
const describedFrames: ReadonlyMap<string, TagName> = new Map([
  ['description', 'description'],
  ['purl', 'url'],
  ['REPLAYGAIN_TRACK_GAIN', 'replaygain_track_gain'],
  ['REPLAYGAIN_TRACK_PEAK', 'replaygain_track_peak'],
]);

/** Returns tags and a cover as ID3v2.4 frames. */
export function tagFrames(tags: Tags, cover: Cover | undefined): Buffer {
  const text = (value: string | undefined, build: (value: string) => readonly Buffer[]) => {
    return value === undefined ? [] : build(value);
  };
  return Buffer.concat([
    ...textFrameNames.flatMap((name) =>
      text(tags[name], (value) => [frame(textFrames[name], utf8, Buffer.from(value))]),
    ),
    // XXX means an unknown language. The description is empty.
    ...text(tags.comment, (value) => [frame('COMM', utf8, latin1('XXX\0'), Buffer.from(value))]),
    ...[...describedFrames].flatMap(([description, name]) =>
      text(tags[name], (value) => [frame('TXXX', utf8, latin1(`${description}\0`), Buffer.from(value))]),
    ),
    // Players show this link. FFmpeg reads only the text above.
    ...text(tags.url, (value) => [frame('WXXX', utf8, latin1('\0'), latin1(linkOf(value)))]),
    ...(cover === undefined ? [] : [pictureFrame(cover)]),
  ]);
}

/** Returns a link in the ASCII form that the frame requires. What is encoded already stays so. */
function linkOf(value: string): string {
  return parseUrl(value)?.href ?? encodeURI(value);
}

function pictureFrame({ type, bytes }: Cover): Buffer {
  return frame('APIC', utf8, latin1(`${type}\0`), Buffer.of(frontCover, 0), bytes);
}

/**
 * Reads the tags and the front cover in an ID3v2 tag.
 *
 * @param offset - offset of the tag in the file.
 * @throws FastPathDeclined if they are damaged.
 */
export function readId3Tags(source: ByteSource, offset = 0): StoredAdditions {
  const tags: Partial<Record<TagName, string>> = {};
  let cover: Buffer | undefined;
  for (const { id, body } of readTag(source, offset)) {
    const name = textFrameNames.find((each) => textFrames[each] === id);
    if (name !== undefined) tags[name] ??= decodeTexts(body)[0] ?? '';
    else if (id === 'COMM') {
      const [description, text] = decodeTexts(Buffer.concat([body.subarray(0, 1), body.subarray(4)]));
      if (description === '') tags.comment ??= text ?? '';
    } else if (id === 'TXXX') {
      const [description = '', text = ''] = decodeTexts(body);
      const described = describedFrames.get(description);
      if (described !== undefined) tags[described] ??= text;
    } else if (id === 'APIC') cover ??= readPicture(body);
  }
  return { tags: cleanTags(tags), ...(cover === undefined ? {} : { cover }) };
}

/** Returns the image of a picture frame if it is a front cover in one of the encodings with single bytes. */
function readPicture(body: Buffer): Buffer | undefined {
  const mimeEnd = body.indexOf(0, 1);
  if (mimeEnd < 0) decline('its cover is damaged');
  const descriptionEnd = body.indexOf(0, mimeEnd + 2);
  const singleByte = body[0] === 0 || body[0] === 3;
  if (!singleByte || body[mimeEnd + 1] !== frontCover || descriptionEnd < 0) return undefined;
  return body.subarray(descriptionEnd + 1);
}
