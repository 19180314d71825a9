import { decline } from '../binary/fast-path-declined.ts';
import { FieldReader } from '../binary/field-reader.ts';
import { type Box, childBoxes, optionalBox, requiredBox, requireKnownBoxes } from './box-reader.ts';
import { u32 } from './box-writer.ts';
import { requireNoMetadata } from './require-no-metadata.ts';
import { readSampleEntry, requireOwnMedia, type SampleEntry } from './sample-entry.ts';

/** Properties of a track, without its samples. */
export interface Track extends SampleEntry {
  readonly id: number;
  /** Ticks per second. */
  readonly timescale: number;
  /** Duration in its media header, in ticks; 0 if unknown. */
  readonly ticks: number;
  /** Its language, as three letters of five bits. */
  readonly language: number;
  /** Its language tag, if that says more than the three letters. */
  readonly languageTag?: string;
  /** Its `stsd` box. */
  readonly description: Buffer;
  /** Rotation of its video: nine numbers in the form of the track header. */
  readonly matrix: Buffer;
  /** Display size of its video, in 65536ths of a pixel. */
  readonly width: number;
  readonly height: number;
  /** Which part of its media plays, and when; absent if all of it plays from the start. */
  readonly edit?: Edit;
  /** The boxes of its sample table. */
  readonly table: readonly Box[];
}

/** An edit list: one range of the media, which plays after a delay. */
export interface Edit {
  /** Delay before it, in seconds. */
  readonly delay: number;
  /** Start of the range, in ticks of the track. */
  readonly mediaTime: number;
  /** Duration in seconds; absent if it ends with the media. */
  readonly length?: number;
}

/** Maximum number of boxes around an edit list, which is usually the only one. */
const maxEditBoxes = 16;

/** The matrix of unrotated video, in the form of the headers. */
export const identityMatrix = u32(0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000);

/** Maximum number of ticks per second: ten times the finest clock in use. */
const maxTimescale = 100_000_000;

const trackBoxes = new Set(['tkhd', 'edts', 'mdia', 'udta', 'free', 'skip']);
const mediaBoxes = new Set(['mdhd', 'elng', 'hdlr', 'minf', 'free', 'skip']);
const informationBoxes = new Set(['vmhd', 'smhd', 'hdlr', 'dinf', 'stbl', 'free', 'skip']);

/**
 * Reads a track.
 *
 * @param body - body of its `trak` box.
 * @param movieScale - ticks per second in the movie header.
 * @throws FastPathDeclined if the track has anything that a copy would lose or this reader does not support.
 */
export function readTrack(body: Buffer, movieScale: number): Track {
  const boxes = childBoxes(body);
  requireKnownBoxes(boxes, trackBoxes, 'in a track');
  requireNoMetadata(optionalBox(boxes, 'udta'));
  const media = childBoxes(requiredBox(boxes, 'mdia'));
  requireKnownBoxes(media, mediaBoxes, 'in a track’s media');
  const information = childBoxes(requiredBox(media, 'minf'));
  requireKnownBoxes(information, informationBoxes, 'in a track’s media information');
  requireOwnMedia(information);
  const table = childBoxes(requiredBox(information, 'stbl'));
  const description = table.find(({ type }) => type === 'stsd') ?? decline('one of its tracks has no description');
  const edit = readEdit(boxes, movieScale);
  const languageTag = readLanguageTag(optionalBox(media, 'elng'));
  return {
    ...readSampleEntry(description.body, readHandler(requiredBox(media, 'hdlr'))),
    ...readMediaHeader(requiredBox(media, 'mdhd')),
    ...(languageTag === undefined ? {} : { languageTag }),
    ...readTrackHeader(requiredBox(boxes, 'tkhd')),
    description: description.bytes,
    ...(edit === undefined ? {} : { edit }),
    table,
  };
}

function readHandler(body: Buffer): string {
  const fields = new FieldReader(body);
  fields.skip(8);
  return fields.bytes(4).toString('latin1');
}

/** Reads the number of a track from its header. */
export function readTrackId(body: Buffer): number {
  const fields = new FieldReader(body);
  fields.skip(fields.versionAndFlags().version === 1 ? 16 : 8);
  return fields.u32();
}

function readTrackHeader(body: Buffer) {
  const fields = new FieldReader(body);
  const { version, flags } = fields.versionAndFlags();
  if ((flags & 1) === 0) decline('one of its tracks is disabled');
  fields.skip((version === 1 ? 32 : 20) + 16);
  return { id: readTrackId(body), matrix: fields.bytes(36), width: fields.u32(), height: fields.u32() };
}

/** Reads a track's media header. */
export function readMediaHeader(body: Buffer) {
  const fields = new FieldReader(body);
  const { version } = fields.versionAndFlags();
  fields.skip(version === 1 ? 16 : 8);
  const timescale = fields.u32();
  if (timescale === 0 || timescale > maxTimescale) decline('one of its tracks has an impossible timescale');
  const ticks = version === 1 ? readLongDuration(fields) : fields.u32();
  return { timescale, ticks: ticks === 0xffff_ffff ? 0 : ticks, language: fields.u16() };
}

/** Reads an extended language (ISO/IEC 14496-12 §8.4.6). */
export function readLanguageTag(body: Buffer | undefined): string | undefined {
  if (body === undefined) return undefined;
  const tag = /^[A-Za-z0-9-]{1,35}(?=\0?$)/.exec(body.toString('latin1', 4))?.[0];
  return tag ?? decline('one of its tracks has a language that is not a tag');
}

/** Reads a 64-bit duration. All bits set means that it is unknown. */
function readLongDuration(fields: FieldReader): number {
  const bytes = fields.bytes(8);
  return bytes.every((byte) => byte === 0xff) ? 0 : new FieldReader(bytes).u64();
}

/**
 * Reads the movie header.
 *
 * @returns Ticks per second.
 * @throws FastPathDeclined if it rotates the video, which only tracks are expected to do.
 */
export function readMovieHeader(body: Buffer): number {
  const fields = new FieldReader(body);
  const { version } = fields.versionAndFlags();
  fields.skip(version === 1 ? 16 : 8);
  const timescale = fields.u32();
  // Skips the duration, speed, volume and reserved fields.
  fields.skip((version === 1 ? 8 : 4) + 16);
  if (!fields.bytes(36).equals(identityMatrix)) decline('it is rotated as a whole');
  return timescale === 0 ? decline('it has no timescale') : timescale;
}

/**
 * Reads an edit list of one entry, which may follow an empty entry.
 *
 * @param track - boxes of the `trak` box.
 * @throws FastPathDeclined for any other list.
 */
export function readEdit(track: readonly Box[], movieScale: number): Edit | undefined {
  const body = optionalBox(track, 'edts');
  const list = body === undefined ? undefined : optionalBox(childBoxes(body, maxEditBoxes), 'elst');
  if (list === undefined) return undefined;
  const fields = new FieldReader(list);
  const { version } = fields.versionAndFlags();
  const count = fields.u32();
  if (count === 0) return undefined;
  if (count > 2) decline('one of its tracks plays in several ranges');
  let delay = 0;
  for (let entry = 1; ; entry += 1) {
    const length = (version === 1 ? fields.u64() : fields.u32()) / movieScale;
    const mediaTime = version === 1 ? fields.i64() : fields.i32();
    if (fields.u32() !== 0x1_0000) decline('one of its tracks plays at another speed');
    if (mediaTime === -1 && entry < count) delay = length;
    else if (mediaTime < 0 || entry < count) decline('one of its tracks plays in several ranges');
    else return { delay, mediaTime, ...(length === 0 ? {} : { length }) };
  }
}
