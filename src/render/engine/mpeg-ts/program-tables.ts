import { decline } from '../binary/fast-path-declined.ts';

/** A stream of a program. */
export interface ProgramStream {
  /** PID of its packets. */
  readonly pid: number;
  readonly kind: 'video' | 'audio';
  /** Three letters; absent if not declared. */
  readonly language?: string;
}

/** Stream types (ISO/IEC 13818-1 table 2-34): H.264, and AAC in ADTS. */
const kinds = new Map<number, ProgramStream['kind']>([
  [0x1b, 'video'],
  [0x0f, 'audio'],
]);

/**
 * Descriptors that a copy does not need: registration, alignment, maximum bitrate, AVC video, AVC timing, stream
 * identifier, AAC.
 */
const ignoredDescriptors = new Set([0x05, 0x06, 0x0e, 0x28, 0x2a, 0x52, 0x7c]);
const languageTag = 0x0a;

/**
 * Reads the PID of the program map from a program association section (ISO/IEC 13818-1 §2.4.4.3).
 *
 * @throws FastPathDeclined unless it has exactly one program.
 */
export function readProgramAssociation(section: Buffer): number {
  const body = readSection(section, 0x00);
  const maps: number[] = [];
  for (let at = 0; at + 4 <= body.length; at += 4) {
    // Program 0 is the network information.
    if (body.readUInt16BE(at) !== 0) maps.push(body.readUInt16BE(at + 2) & 0x1fff);
  }
  const [map, ...others] = maps;
  if (map === undefined || others.length > 0) decline('it does not have exactly one program');
  return map;
}

/**
 * Reads the streams of a program map section (ISO/IEC 13818-1 §2.4.4.8).
 *
 * @throws FastPathDeclined unless it has one H.264 or one AAC stream, or one of each, and nothing else.
 */
export function readProgramMap(section: Buffer): ProgramStream[] {
  const body = readSection(section, 0x02);
  if (body.length < 4) decline('its program map is malformed');
  const streamsAt = 4 + (body.readUInt16BE(2) & 0xfff);
  if (streamsAt > body.length) decline('its program map is malformed');
  readDescriptors(body.subarray(4, streamsAt));
  const streams: ProgramStream[] = [];
  for (let at = streamsAt; at < body.length; ) {
    if (at + 5 > body.length) decline('its program map is malformed');
    const type = body.readUInt8(at);
    const end = at + 5 + (body.readUInt16BE(at + 3) & 0xfff);
    if (end > body.length) decline('its program map is malformed');
    const kind = kinds.get(type) ?? decline(`one of its streams has type ${type}`);
    const language = readDescriptors(body.subarray(at + 5, end));
    streams.push({ pid: body.readUInt16BE(at + 1) & 0x1fff, kind, ...(language && { language }) });
    at = end;
  }
  const distinct = new Set(streams.flatMap(({ kind, pid }) => [kind, pid]));
  if (streams.length === 0) decline('it has no streams');
  if (distinct.size < 2 * streams.length) decline('it has several streams of the same kind');
  return streams;
}

/** Returns the body of the only section of a table, between its header and its checksum (ISO/IEC 13818-1 §2.4.4.10). */
function readSection(section: Buffer, table: number): Buffer {
  const [id, flags, version, number, last] = [0, 1, 5, 6, 7].map((at) => section[at] ?? 0);
  if (section.length < 12 || id !== table || ((flags ?? 0) & 0x80) === 0 || checksum(section) !== 0) {
    decline('one of its tables is malformed');
  }
  if (((version ?? 0) & 1) === 0 || number !== 0 || last !== 0) decline('one of its tables is not valid yet');
  return section.subarray(8, -4);
}

/** Checks descriptors (ISO/IEC 13818-1 §2.6) and returns the language among them. */
function readDescriptors(bytes: Buffer): string | undefined {
  let language: string | undefined;
  for (let at = 0; at < bytes.length; ) {
    const [tag = 0, length = 0] = bytes.subarray(at, at + 2);
    const end = at + 2 + length;
    if (end > bytes.length || at + 2 > bytes.length) decline('one of its descriptors is malformed');
    if (tag === languageTag) language = readLanguage(bytes.subarray(at + 2, end));
    else if (!ignoredDescriptors.has(tag)) decline(`one of its streams has descriptor ${tag}`);
    at = end;
  }
  return language;
}

/** Reads a language descriptor, which must not declare an audio type. */
function readLanguage(body: Buffer): string {
  const code = body.toString('latin1', 0, 3);
  if (body.length !== 4 || body[3] !== 0 || !/^[a-z]{3}$/.test(code))
    decline('one of its streams declares its language in an unusual form');
  return code;
}

/** Computes the CRC of a section including its checksum (ISO/IEC 13818-1 annex A); 0 if the checksum is correct. */
function checksum(bytes: Buffer): number {
  let register = 0xffff_ffff;
  for (const byte of bytes) {
    register ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1)
      register = register < 0 || register > 0x7fff_ffff ? (register << 1) ^ 0x04c1_1db7 : register << 1;
  }
  return register;
}
