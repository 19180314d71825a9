import { trimTrailing } from '../../../contract/trim-trailing.ts';

/** Subtitle formats that are text in every packet, as FFmpeg names them, and that can be written. */
export type TextSubtitleCodec = 'subrip' | 'webvtt' | 'mov_text';

/** How the text of a cue is found in a packet. */
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

/** Bytes of a cue's text that are kept: a screenful is far less, and the 3GPP format counts to 65,535. */
const maxCueBytes = 32_000;

/** Bytes of a packet of `mov_text` with its formatting, of which the length of the text alone is bounded by the format. */
const maxTimedTextBytes = 256 * 1024;

/** Whether subtitles of this codec are text that {@link convertCue} can read. */
export function isTextSubtitle(codec: string): boolean {
  return Object.hasOwn(readers, codec);
}

/**
 * One cue's packet in another format: its words and its lines, without colours, places and typefaces. Nothing for a
 * cue without words, such as the pauses of `mov_text` and the drawings of `ass`.
 */
export function convertCue(packet: Buffer, from: string, to: TextSubtitleCodec): Buffer | undefined {
  const text = readers[from]?.(packet) ?? '';
  // An empty line would end a cue of SubRip or WebVTT.
  const lines = text.split(/[\r\n\u2028\u2029]+/).map((line) => line.replaceAll(/\p{Cc}/gu, ' ').trim());
  const whole = lines.filter((line) => line !== '').join('\n');
  return whole === '' ? undefined : writers[to](shorten(whole));
}

/** What a result can lose of a cue, beyond its formatting. */
export type CueLoss = 'drawing' | 'damaged' | 'too long' | 'early' | 'unordered' | 'crowded';

/** Returns what {@link convertCue} loses of a cue, if anything. */
export function findCueLoss(packet: Buffer, from: string): 'drawing' | 'damaged' | 'too long' | undefined {
  if (readers[from] === readAss && hasDrawing(assText(packet))) return 'drawing';
  if (from === 'mov_text' && (packet.length < 2 || packet.length < 2 + packet.readUInt16BE(0))) return 'damaged';
  return Buffer.byteLength(readers[from]?.(packet) ?? '') > maxCueBytes ? 'too long' : undefined;
}

/**
 * What a track of this format starts with: for `mov_text` the sample description of 3GPP TS 26.245 §5.16, without the
 * box's own head, with white text at the bottom in the middle.
 */
export function subtitleHeader(to: TextSubtitleCodec): Buffer | undefined {
  if (to !== 'mov_text') return undefined;
  return Buffer.concat([
    Buffer.from([0, 0, 0, 0, 1, 0xff, 0, 0, 0, 0]), // no flags; centred, at the bottom; transparent ground
    Buffer.alloc(8), // the text box: all of the track's
    Buffer.from([0, 0, 0, 0, 0, 1, 0, 18, 0xff, 0xff, 0xff, 0xff]), // style: font 1, 18 high, white
    Buffer.from('\0\0\0\x12ftab\0\x01\0\x01\x05Serif', 'latin1'),
  ]);
}

/** Whether a packet of `mov_text` shows nothing: such samples fill the time between cues. */
export function isPause(packet: Buffer): boolean {
  return packet.length >= 2 && packet.readUInt16BE(0) === 0;
}

/** A copy of a packet of `mov_text`, without its formatting if that takes more than any text needs. */
export function limitTimedText(packet: Buffer): Buffer {
  if (packet.length <= maxTimedTextBytes) return Buffer.from(packet);
  return Buffer.from(packet.subarray(0, 2 + packet.readUInt16BE(0)));
}

/** One sample of `mov_text` for cues that are shown at once. A single cue keeps its formatting; equal texts appear once. */
export function joinTimedText(packets: readonly Buffer[]): Buffer {
  const [only, ...others] = packets;
  if (only !== undefined && others.length === 0) return only;
  return writeTimedText(shorten([...new Set(packets.map(readTimedText))].join('\n')));
}

function shorten(text: string): string {
  if (Buffer.byteLength(text) <= maxCueBytes) return text;
  // Cut between characters: the last, broken one becomes U+FFFD.
  return trimTrailing(Buffer.from(text).subarray(0, maxCueBytes).toString('utf8'), '\ufffd');
}

function removeTags(text: string): string {
  // What a tag may be in SubRip (HTML and SSA's alignment) and WebVTT; a lone "<" is text.
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
  // Vector drawings are coordinates.
  if (hasDrawing(text)) return '';
  return text
    .replaceAll(/\{[^{}]*\}/g, '')
    .replaceAll(/\\[Nn]/g, '\n')
    .replaceAll('\\h', ' ');
}

/** The text of an ASS line in Matroska: it follows eight fields and may contain commas. */
function assText(packet: Buffer): string {
  return packet.toString('utf8').split(',').slice(8).join(',');
}

function hasDrawing(assText: string): boolean {
  return /\{[^{}]*\\p[1-9]/.test(assText);
}

/** A length of two bytes and as much text, in UTF-8 or, behind a byte order mark, UTF-16; styles follow. */
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
