import { decline } from '../binary/fast-path-declined.ts';
import { FieldReader } from '../binary/field-reader.ts';
import { type Box, childBoxes, optionalBox, requiredBox } from './box-reader.ts';

/** The codec in the sample description of a track. */
export interface SampleEntry {
  readonly kind: 'video' | 'audio';
  /** Codec name as used by the engine. */
  readonly codec: string;
}

/** Size of a sample entry before its boxes, in bytes (ISO/IEC 14496-12 §12.1.3, §12.2.3). */
const entryHeaderBytes = { video: 78, audio: 28 } as const;

/**
 * Sizes of the boxes that configure decoders without the parts that may be absent, in bytes: parameter sets of H.264 and
 * H.265, the sequence header of AV1, other layers and substreams. FFmpeg writes a shorter box, without an error, if it
 * cannot describe the stream, and no player opens such a file.
 */
const leastConfigBytes = {
  ...{ avcC: 7, hvcC: 23, av1C: 4, vpcC: 12 },
  ...{ esds: 4, dOps: 11, dfLa: 42, dac3: 3, dec3: 5 },
} as const;

/** Sample entries that can be copied: the codec, and the box that configures its decoder. */
const entries = new Map<string, SampleEntry & { readonly configBox: keyof typeof leastConfigBytes }>([
  ['avc1', { kind: 'video', codec: 'h264', configBox: 'avcC' }],
  ['avc3', { kind: 'video', codec: 'h264', configBox: 'avcC' }],
  ['hvc1', { kind: 'video', codec: 'hevc', configBox: 'hvcC' }],
  ['hev1', { kind: 'video', codec: 'hevc', configBox: 'hvcC' }],
  ['av01', { kind: 'video', codec: 'av1', configBox: 'av1C' }],
  // Dolby Vision (Dolby Vision Streams Within the ISO Base Media File Format, §3). Its boxes are copied unchanged.
  ['dvh1', { kind: 'video', codec: 'hevc', configBox: 'hvcC' }],
  ['dvhe', { kind: 'video', codec: 'hevc', configBox: 'hvcC' }],
  ['dav1', { kind: 'video', codec: 'av1', configBox: 'av1C' }],
  ['vp09', { kind: 'video', codec: 'vp9', configBox: 'vpcC' }],
  ['mp4a', { kind: 'audio', codec: 'aac', configBox: 'esds' }],
  ['Opus', { kind: 'audio', codec: 'opus', configBox: 'dOps' }],
  ['fLaC', { kind: 'audio', codec: 'flac', configBox: 'dfLa' }],
  ['ac-3', { kind: 'audio', codec: 'ac3', configBox: 'dac3' }],
  ['ec-3', { kind: 'audio', codec: 'eac3', configBox: 'dec3' }],
]);

/**
 * Reads the only sample entry of a track.
 *
 * @param description - body of its `stsd` box.
 * @throws FastPathDeclined for several entries, encryption and unknown codecs.
 */
export function readSampleEntry(description: Buffer, handler: string): SampleEntry {
  const { kind, codec, configBox, config } = readOnlyEntry(description);
  if (handler !== handlerTypes[kind]) decline(`its ${codec} track is not ${kind}`);
  return { kind, codec: configBox === 'esds' ? readElementaryStream(config) : codec };
}

/** Returns the body of the box that configures the decoder of a track, given its `stsd` box. */
export function readDecoderConfig(description: Buffer): Buffer {
  return readOnlyEntry(requiredBox(childBoxes(description), 'stsd')).config;
}

function readOnlyEntry(description: Buffer) {
  const fields = new FieldReader(description);
  if (fields.versionAndFlags().version !== 0) decline('its sample description has an unknown version');
  if (fields.u32() !== 1) decline('one of its tracks has several sample descriptions');
  const [entry, ...others] = childBoxes(fields.bytes(fields.remaining));
  if (entry === undefined || others.length > 0) decline('one of its sample descriptions is malformed');
  const entryType = entries.get(entry.type) ?? decline(`one of its tracks is ${JSON.stringify(entry.type)}`);
  const boxes = readEntryBoxes(entry, entryType.kind);
  if (boxes.some(({ type }) => type === 'sinf')) decline('it is encrypted');
  const config = requiredBox(boxes, entryType.configBox);
  if (config.length < leastConfigBytes[entryType.configBox]) decline(`its ${entryType.configBox} box is too short`);
  return { ...entryType, config };
}

const handlerTypes = { video: 'vide', audio: 'soun' } as const;

function readEntryBoxes({ body }: Box, kind: SampleEntry['kind']): Box[] {
  const fields = new FieldReader(body);
  fields.skip(6);
  if (fields.u16() !== 1) decline('one of its tracks has its media elsewhere');
  // QuickTime audio descriptions have more fields, which a version other than 0 indicates.
  if (kind === 'audio' && fields.u16() !== 0) decline('one of its audio descriptions is in the QuickTime format');
  fields.skip(kind === 'audio' ? 14 : 16);
  const shape = kind === 'audio' ? [fields.u32()] : [fields.u16(), fields.u16()];
  if (shape.includes(0)) decline('one of its tracks does not declare its sample rate or frame size');
  const bytesRead = body.length - fields.remaining;
  fields.skip(entryHeaderBytes[kind] - bytesRead);
  return childBoxes(fields.bytes(fields.remaining));
}

/** Object types of MPEG-4 audio that are AAC: Main, LC, SSR, LTP, SBR, PS (ISO/IEC 14496-3 table 1.17). */
const aacObjects = new Set([1, 2, 3, 4, 5, 29]);

/** Returns the codec of an `mp4a` entry, which may contain any MPEG audio (ISO/IEC 14496-1 §7.2.6). */
function readElementaryStream(body: Buffer): string {
  const fields = new FieldReader(body);
  fields.versionAndFlags();
  const stream = new FieldReader(readDescriptor(fields, 3));
  stream.skip(2);
  const flags = stream.u8();
  if ((flags & 0xe0) !== 0) decline('its AAC description is of an unusual kind');
  const decoder = new FieldReader(readDescriptor(stream, 4));
  const objectType = decoder.u8();
  if (objectType !== 0x40) decline(`one of its tracks is MPEG audio of type ${objectType}`);
  decoder.skip(12);
  const config = readDescriptor(decoder, 5);
  if (config.length < 2 || !aacObjects.has((config[0] ?? 0) >> 3)) decline('its MPEG-4 audio is of an unusual kind');
  return 'aac';
}

/** Reads a descriptor: its tag, its length in up to four bytes of seven bits each, and its content. */
function readDescriptor(fields: FieldReader, tag: number): Buffer {
  if (fields.u8() !== tag) decline('its AAC description is malformed');
  let length = 0;
  for (let digits = 1; ; digits += 1) {
    const byte = fields.u8();
    length = length * 128 + (byte & 0x7f);
    if (byte < 0x80) return fields.bytes(length);
    if (digits === 4) decline('its AAC description is malformed');
  }
}

/**
 * Checks that a track's media is in the file itself.
 *
 * @param media - body of its `minf` box.
 * @throws FastPathDeclined if it may be elsewhere.
 */
export function requireOwnMedia(media: readonly Box[]): void {
  const information = childBoxes(requiredBox(media, 'dinf'));
  const references = new FieldReader(requiredBox(information, 'dref'));
  references.versionAndFlags();
  if (references.u32() !== 1) decline('one of its tracks has several sources');
  const body = optionalBox(childBoxes(references.bytes(references.remaining)), 'url ');
  if (body === undefined || new FieldReader(body).versionAndFlags().flags !== 1) {
    decline('one of its tracks has its media elsewhere');
  }
}
