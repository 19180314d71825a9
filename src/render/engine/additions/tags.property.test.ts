import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { u32 } from '../binary/big-endian.ts';
import type { ByteSource } from '../binary/byte-source.ts';
import { FastPathDeclined } from '../binary/fast-path-declined.ts';
import { metadataBox, readMetadataBox } from '../mp4/additions/item-list.ts';
import { cleanLine, cleanLines } from '../tags/clean-text.ts';
import type { Cover } from '../tags/cover.ts';
import { id3Tag } from '../tags/id3-tag.ts';
import { readId3Tags, tagFrames } from '../tags/id3-tags.ts';
import { pictureBlock, readPictureBlock } from '../tags/picture-block.ts';
import type { StoredAdditions } from '../tags/stored-additions.ts';
import { cleanTags, type Tags, tagNames } from '../tags/tags.ts';
import {
  coverComment,
  encodeComments,
  fillPlaceholder,
  placeholder,
  readCommentTags,
  tagComments,
} from '../tags/vorbis-comments.ts';

function source(bytes: Buffer): ByteSource {
  return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.constantFrom('a=b\nc', '"\u200f\'', '👨‍👩‍👧'));
/** Tags of a job: its numbers are numbers. */
const tags = fc
  .record(Object.fromEntries(tagNames.map((name) => [name, text])), { requiredKeys: [] })
  .chain((record) => fc.tuple(fc.constant(record), fc.constantFrom('', '3', '03/12', '0/4', '9999/9999')))
  .map(([record, number]): Tags => cleanTags({ ...record, track: number, disc: number }));
const cover = fc.option(
  fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes): Cover => {
    return { bytes: Buffer.from(bytes), type: 'image/png', width: 1, height: 2 };
  }),
  { nil: undefined },
);

const inMp4 = (from: Tags, picture?: Cover) => metadataBox(from, picture, undefined).subarray(8);
const inId3 = (from: Tags, picture?: Cover) => id3Tag(tagFrames(from, picture));
function inComments(from: Tags, picture?: Cover): Buffer {
  const comments = [...tagComments(from), ...(picture === undefined ? [] : [coverComment(picture)])];
  const header = Buffer.concat([u32(0), u32(comments.length).reverse(), encodeComments(comments)]);
  return header;
}

type Form = [name: string, write: (tags: Tags, cover?: Cover) => Buffer, read: (bytes: Buffer) => StoredAdditions];
const forms: Form[] = [
  ['MP4', inMp4, readMetadataBox],
  ['ID3', inId3, (bytes) => readId3Tags(source(bytes))],
  ['Vorbis comments', inComments, readCommentTags],
];

describe('a write and read round trip', () => {
  it.each(forms)('preserves tags and a cover in %s', (name, write, read) => {
    fc.assert(
      fc.property(tags, cover, (from, picture) => {
        const stored = read(write(from, picture));
        // Only Ogg files have this tag, which belongs to Opus (RFC 7845 §5.2.1).
        const { r128_track_gain: _, ...others } = from;
        expect(stored.tags).toEqual(name === 'Vorbis comments' ? from : others);
        expect(stored.cover).toEqual(picture?.bytes);
      }),
      { seed: 11, numRuns: propertyRuns(300) },
    );
  });

  it('preserves tags in place of a placeholder', () => {
    fc.assert(
      fc.property(tags, text, (from, vendor) => {
        const comments = tagComments(from);
        fc.pre(comments.length > 0);
        const name = Buffer.from(vendor);
        const [[key = '', value = ''] = []] = Object.entries(placeholder(encodeComments(comments)));
        const others = encodeComments([
          ['language', 'de'],
          [key, value],
          ['encoder', 'x'],
        ]);
        const header = Buffer.concat([u32(name.length).reverse(), name, u32(3).reverse(), others]);
        fillPlaceholder(header, comments);
        expect(readCommentTags(header).tags).toEqual(from);
      }),
      { seed: 12, numRuns: propertyRuns(300) },
    );
  });
});

it('keeps a link in ID3 tags that is encoded already', () => {
  const tag = inId3({ url: 'https://site.example/a%20b?c=ü' }).toString('latin1');
  expect(tag).toContain('https://site.example/a%20b?c=%C3%BC');
});

describe('damaged tags', () => {
  it.each(forms)('are read or declined without any other error: %s', (_name, write, read) => {
    const damage = fc.array(fc.tuple(fc.nat(4000), fc.nat(255)), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(tags, cover, damage, fc.nat(200), (from, picture, changes, cut) => {
        const bytes = Buffer.from(write(from, picture));
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        try {
          const stored = read(bytes.subarray(0, Math.max(0, bytes.length - (cut > 100 ? cut : 0))));
          expect(cleanTags(stored.tags)).toEqual(stored.tags);
        } catch (error) {
          expect(error).toBeInstanceOf(FastPathDeclined);
        }
      }),
      { seed: 13, numRuns: propertyRuns(1000) },
    );
  });

  it('are declined if they are arbitrary bytes in a picture', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        try {
          expect(readPictureBlock(Buffer.from(bytes)).length).toBeLessThan(100);
        } catch (error) {
          expect(error).toBeInstanceOf(FastPathDeclined);
        }
      }),
      { seed: 14, numRuns: propertyRuns(500) },
    );
    const picture: Cover = { bytes: Buffer.of(1, 2), type: 'image/jpeg', width: 1, height: 1 };
    expect(readPictureBlock(pictureBlock(picture))).toEqual(picture.bytes);
  });
});

describe('clean texts', () => {
  it('have no controls and no characters that reorder text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.nat(100), (raw, limit) => {
        const [line, lines] = [cleanLine(raw, limit), cleanLines(raw, limit)];
        expect(line).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u);
        expect(lines.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u);
        for (const cleaned of [line, lines]) {
          expect(cleaned.isWellFormed()).toBe(true);
          expect(cleaned.length).toBeLessThanOrEqual(limit);
        }
        expect(cleanLine(line, limit)).toBe(line);
        expect(cleanLines(lines, limit)).toBe(lines);
      }),
      { seed: 15, numRuns: propertyRuns(1000) },
    );
  });

  it('keep joiners, marks and line breaks', () => {
    expect(cleanLine(' 👨‍👩‍👧\r\n\u200fא\u200e\u202e ', 100)).toBe('👨‍👩‍👧 \u200fא\u200e');
    expect(cleanLines('a\r\n\n b\u2028c\u0000\n', 100)).toBe('a\n\n b\nc');
    expect(cleanLine('ab👨', 3)).toBe('ab');
  });
});
