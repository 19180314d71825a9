import { trimTrailing } from '../../../contract/trim-trailing.ts';

/** Subtitle formats that can be written and that contain text in every packet, with FFmpeg's names. */
export type TextSubtitleCodec = 'subrip' | 'webvtt' | 'mov_text';

/** Functions that extract the text of a cue from a packet, by codec. */
const readers: Readonly<Record<string, (packet: Buffer) => string>> = {
  subrip: (packet) => removeTags(packet.toString('utf8')),
  text: (packet) => packet.toString('utf8'),
  webvtt: (packet) => unescapeEntities(removeTags(packet.toString('utf8'))),
  ass: readAss,
  ssa: readAss,
  mov_text: readTimedText,
};

const writers: Readonly<Record<TextSubtitleCodec, (text: string) => Buffer>> = {
  subrip: (text) => Buffer.from(text),
  webvtt: (text) => Buffer.from(escapeEntities(text)),
  mov_text: writeTimedText,
};

/**
 * Maximum size of a cue's text in bytes. A screenful is far less, and the length field of the 3GPP format is limited to
 * 65,535.
 */
const maxCueBytes = 32_000;

/**
 * Maximum size in bytes of a `mov_text` packet including its formatting. The format itself only limits the length of
 * the text.
 */
const maxTimedTextBytes = 256 * 1024;

/** Returns whether subtitles of this codec are text that {@link convertCue} can read. */
export function isTextSubtitle(codec: string): boolean {
  return Object.hasOwn(readers, codec);
}

/**
 * Converts the packet of one cue to another format. Keeps its text and its lines, but not its colours, positions and
 * fonts. Returns undefined for a cue without text, such as the pauses of `mov_text` and the drawings of `ass`.
 */
export function convertCue(packet: Buffer, from: string, to: TextSubtitleCodec): Buffer | undefined {
  const text = readers[from]?.(packet) ?? '';
  // An empty line would end a cue of SubRip or WebVTT.
  const lines = text.split(/[\r\n\u2028\u2029]+/).map((line) => line.replaceAll(/\p{Cc}/gu, ' ').trim());
  const whole = lines.filter((line) => line !== '').join('\n');
  return whole === '' ? undefined : writers[to](shorten(whole));
}

/** Ways in which a result can lose a cue, beyond its formatting. */
export type CueLoss = 'drawing' | 'damaged' | 'too long' | 'early' | 'unordered' | 'crowded';

/** Returns the kind of loss that {@link convertCue} causes for a cue, if any. */
export function findCueLoss(packet: Buffer, from: string): 'drawing' | 'damaged' | 'too long' | undefined {
  if (readers[from] === readAss && hasDrawing(assText(packet))) return 'drawing';
  if (from === 'mov_text' && (packet.length < 2 || packet.length < 2 + packet.readUInt16BE(0))) return 'damaged';
  return Buffer.byteLength(readers[from]?.(packet) ?? '') > maxCueBytes ? 'too long' : undefined;
}

/**
 * Returns the header of a track in this format. For `mov_text` it is the sample description of 3GPP TS 26.245 §5.16,
 * without the box header, with white text centred at the bottom.
 */
export function subtitleHeader(to: TextSubtitleCodec): Buffer | undefined {
  if (to !== 'mov_text') return undefined;
  return Buffer.concat([
    Buffer.from([0, 0, 0, 0, 1, 0xff, 0, 0, 0, 0]), // no flags; centred, at the bottom; transparent background
    Buffer.alloc(8), // the text box: the whole track area
    Buffer.from([0, 0, 0, 0, 0, 1, 0, 18, 0xff, 0xff, 0xff, 0xff]), // style: font 1, size 18, white
    Buffer.from('\0\0\0\x12ftab\0\x01\0\x01\x05Serif', 'latin1'),
  ]);
}

/** Returns whether a `mov_text` packet displays nothing. Such samples fill the time between cues. */
export function isPause(packet: Buffer): boolean {
  return packet.length >= 2 && packet.readUInt16BE(0) === 0;
}

/** Returns a copy of a `mov_text` packet. Omits its formatting if the formatting is larger than any text needs. */
export function limitTimedText(packet: Buffer): Buffer {
  if (packet.length <= maxTimedTextBytes) return Buffer.from(packet);
  return Buffer.from(packet.subarray(0, 2 + packet.readUInt16BE(0)));
}

/**
 * Returns one `mov_text` sample for cues that are displayed simultaneously. A single cue keeps its formatting. Equal
 * texts appear once.
 */
export function joinTimedText(packets: readonly Buffer[]): Buffer {
  const [only, ...others] = packets;
  if (only !== undefined && others.length === 0) return only;
  return writeTimedText(shorten([...new Set(packets.map(readTimedText))].join('\n')));
}

function shorten(text: string): string {
  if (Buffer.byteLength(text) <= maxCueBytes) return text;
  // Truncates between characters: a truncated last character becomes U+FFFD.
  return trimTrailing(Buffer.from(text).subarray(0, maxCueBytes).toString('utf8'), '\ufffd');
}

function removeTags(text: string): string {
  // Tags in SubRip (HTML and SSA alignment) and WebVTT. A single "<" is text.
  return text.replaceAll(/<\/?[a-zA-Z0-9][^<>]*>|<\/>|\{\\[^{}]*\}/g, '');
}

const entities = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&nbsp;', ' '],
  ['&lrm;', '\u200e'],
  ['&rlm;', '\u200f'],
  ['&amp;', '&'],
]);

function unescapeEntities(text: string): string {
  return text.replaceAll(/&[a-z]{2,4};/g, (entity) => entities.get(entity) ?? entity);
}

function escapeEntities(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function readAss(packet: Buffer): string {
  const text = assText(packet);
  // Vector drawings consist of coordinates.
  if (hasDrawing(text)) return '';
  return text
    .replaceAll(/\{[^{}]*\}/g, '')
    .replaceAll(/\\[Nn]/g, '\n')
    .replaceAll('\\h', ' ');
}

/** Returns the text of an ASS line in Matroska, which follows eight fields and may contain commas. */
function assText(packet: Buffer): string {
  return packet.toString('utf8').split(',').slice(8).join(',');
}

function hasDrawing(assText: string): boolean {
  return /\{[^{}]*\\p[1-9]/.test(assText);
}

/**
 * Reads a length of two bytes and that many bytes of text, in UTF-8 or, after a byte order mark, UTF-16. Styles follow.
 */
function readTimedText(packet: Buffer): string {
  if (packet.length < 2) return '';
  const text = packet.subarray(2, 2 + packet.readUInt16BE(0));
  if (text[0] !== 0xfe || text[1] !== 0xff) return text.toString('utf8');
  return Buffer.from(text.subarray(2, text.length - (text.length % 2)))
    .swap16()
    .toString('utf16le');
}

function writeTimedText(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
