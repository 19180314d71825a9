import { decline } from '../../engine/binary/fast-path-declined.ts';
import { FieldReader } from '../../engine/binary/field-reader.ts';
import { type Box, optionalBox, requiredBox } from '../../engine/mp4/box-reader.ts';
import { box, boxParts, fullBox, u32, u64 } from '../../engine/mp4/box-writer.ts';
import { type Edit, readEdit, readMediaHeader } from '../../engine/mp4/track-reader.ts';
import { childBoxes } from './child-boxes.ts';
import { readTaggedPriming } from './tagged-priming.ts';

/** Maximum number of tracks of a file. */
const maxTracks = 32;
const maxUint32 = 0xffff_ffff;

/** A track of a file, with all its boxes. Other than the engine's own reader, this one accepts any kind of track. */
export interface TrackBoxes {
  readonly id: number;
  readonly kind: 'video' | 'audio' | 'other';
  /** Ticks per second. */
  readonly timescale: number;
  /** Which part of its media plays, and when; absent if all of it plays from the start. */
  readonly edit?: Edit;
  /** The boxes of its sample table. */
  readonly table: readonly Box[];
  /** The boxes of its `trak` box. */
  readonly boxes: readonly Box[];
}

/** The boxes of a `moov` box. */
export interface MovieBoxes {
  /** Ticks per second of the movie header. */
  readonly timescale: number;
  readonly boxes: readonly Box[];
  readonly tracks: readonly TrackBoxes[];
  readonly isFragmented: boolean;
}

/**
 * Reads the boxes of an index.
 *
 * @param body - body of the `moov` box.
 * @throws FastPathDeclined
 */
export function readMovieBoxes(body: Buffer): MovieBoxes {
  const boxes = childBoxes(body);
  const timescale = readMediaTimescale(requiredBox(boxes, 'mvhd'));
  const tracks = boxes.filter(({ type }) => type === 'trak');
  if (tracks.length === 0 || tracks.length > maxTracks) decline(`it has ${tracks.length} tracks`);
  return {
    timescale,
    boxes,
    tracks: tracks.map((track) => readTrackBoxes(track.body, timescale, readTaggedPriming(boxes))),
    isFragmented: optionalBox(boxes, 'mvex') !== undefined,
  };
}

/** Reads the timescale of a movie or media header: both begin with the same fields. */
function readMediaTimescale(body: Buffer): number {
  const fields = new FieldReader(body);
  fields.skip(fields.versionAndFlags().version === 1 ? 16 : 8);
  return fields.u32() || decline('it has no timescale');
}

const kinds = new Map<string, TrackBoxes['kind']>([
  ['vide', 'video'],
  ['soun', 'audio'],
]);

/**
 * @param priming - samples of audio that a tag states as priming. It counts like an edit list, which the excerpt gets in
 * its place.
 */
function readTrackBoxes(body: Buffer, movieScale: number, priming: number): TrackBoxes {
  const boxes = childBoxes(body);
  const media = childBoxes(requiredBox(boxes, 'mdia'));
  const information = childBoxes(requiredBox(media, 'minf'));
  requireOwnSource(information);
  const handler = requiredBox(media, 'hdlr').toString('latin1', 8, 12);
  const kind = kinds.get(handler) ?? 'other';
  const tagged = kind === 'audio' && priming > 0 ? { delay: 0, mediaTime: priming } : undefined;
  const edit = readEdit(boxes, movieScale) ?? tagged;
  return {
    id: readTrackId(requiredBox(boxes, 'tkhd')),
    kind,
    timescale: readMediaHeader(requiredBox(media, 'mdhd')).timescale,
    ...(edit === undefined ? {} : { edit }),
    table: childBoxes(requiredBox(information, 'stbl')),
    boxes,
  };
}

function readTrackId(body: Buffer): number {
  const fields = new FieldReader(body);
  fields.skip(fields.versionAndFlags().version === 1 ? 16 : 8);
  return fields.u32();
}

/** Declines a track whose media is in another file. */
function requireOwnSource(information: readonly Box[]): void {
  const references = new FieldReader(requiredBox(childBoxes(requiredBox(information, 'dinf')), 'dref'));
  references.versionAndFlags();
  references.skip(4);
  const isElsewhere = childBoxes(references.bytes(references.remaining)).some(({ body }) => {
    return (new FieldReader(body).versionAndFlags().flags & 1) === 0;
  });
  if (isElsewhere) decline('its media is in another file');
}

/** What a track becomes in an excerpt. */
export interface TrackChange {
  /** The boxes of its new sample table; absent to keep the table. */
  readonly table?: readonly Buffer[];
  /** Its edit list: the delay and the playing time in ticks of the movie, and the start in ticks of the track. */
  readonly edit?: { readonly delay: number; readonly length: number; readonly mediaTime: number };
  /** Whether the former edit list is kept. */
  readonly keepsEdit?: boolean;
  /** Duration of its media in ticks of the track, and of its presentation in ticks of the movie. */
  readonly mediaDuration: number;
  readonly duration: number;
}

/**
 * Builds the index of an excerpt: the same boxes with other sample tables, edits and durations. Returns it in parts,
 * because its tables can have many megabytes.
 *
 * @param timescale - ticks per second of the new movie header.
 * @param changes - one for each track.
 */
export function changedMovieBox(
  { boxes }: MovieBoxes,
  timescale: number,
  duration: number,
  changes: readonly TrackChange[],
): Buffer[] {
  let track = 0;
  const contents = boxes.flatMap((one) => {
    switch (one.type) {
      case 'mvhd':
        return [box('mvhd', withDuration(withTimescale(one.body, timescale), duration, 4))];
      case 'mvex':
        // Without the duration of all fragments, which the excerpt does not have.
        return boxParts('mvex', bytesOf(childBoxes(one.body).filter(({ type }) => type !== 'mehd')));
      case 'trak': {
        const change = changes[track];
        track += 1;
        return change === undefined ? [one.bytes] : changedTrackBox(childBoxes(one.body), change);
      }
      default:
        return [one.bytes];
    }
  });
  return boxParts('moov', contents);
}

function changedTrackBox(boxes: readonly Box[], change: TrackChange): Buffer[] {
  const contents = boxes.flatMap((one) => {
    switch (one.type) {
      case 'edts':
        return change.keepsEdit === true ? [one.bytes] : [];
      case 'tkhd':
        // The header of a track has its number and a reserved field in place of the timescale.
        return [box('tkhd', withDuration(one.body, change.duration, 8)), ...editBoxes(change)];
      case 'mdia':
        return boxParts(
          'mdia',
          childBoxes(one.body).flatMap((part) => changedMediaBox(part, change)),
        );
      default:
        return [one.bytes];
    }
  });
  return boxParts('trak', contents);
}

function changedMediaBox(part: Box, { table, mediaDuration }: TrackChange): Buffer[] {
  if (part.type === 'mdhd') return [box('mdhd', withDuration(part.body, mediaDuration, 4))];
  if (part.type !== 'minf' || table === undefined) return [part.bytes];
  const contents = childBoxes(part.body).flatMap((one) =>
    one.type === 'stbl' ? boxParts('stbl', table) : [one.bytes],
  );
  return boxParts('minf', contents);
}

function bytesOf(boxes: readonly Box[]): Buffer[] {
  return boxes.map(({ bytes }) => bytes);
}

function editBoxes({ edit }: TrackChange): Buffer[] {
  if (edit === undefined) return [];
  const { delay, length, mediaTime } = edit;
  const entry = (duration: number, from: Buffer) => Buffer.concat([u64(duration), from, u32(0x1_0000)]);
  const empty = delay > 0 ? [entry(delay, Buffer.alloc(8, 0xff))] : [];
  const entries = [...empty, entry(length, u64(mediaTime))];
  return [box('edts', fullBox('elst', 1, 0, u32(entries.length), ...entries))];
}

/** Position of the first field after the times of a header. */
function fieldsAfterTimes(body: Buffer): { readonly at: number; readonly isLong: boolean } {
  const isLong = new FieldReader(body).versionAndFlags().version === 1;
  return { at: isLong ? 20 : 12, isLong };
}

function withTimescale(body: Buffer, timescale: number): Buffer {
  const copy = Buffer.from(body);
  copy.writeUInt32BE(timescale, fieldsAfterTimes(body).at);
  return copy;
}

/** Returns a header with another duration, which follows `skipped` bytes after the times. */
function withDuration(body: Buffer, duration: number, skipped: number): Buffer {
  const { at, isLong } = fieldsAfterTimes(body);
  const copy = Buffer.from(body);
  if (copy.length < at + skipped + (isLong ? 8 : 4)) decline('one of its headers is too short');
  if (isLong) copy.writeBigUInt64BE(BigInt(duration), at + skipped);
  else copy.writeUInt32BE(Math.min(duration, maxUint32), at + skipped);
  return copy;
}
