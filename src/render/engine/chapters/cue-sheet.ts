import { FieldReader } from '../binary/field-reader.ts';

/** A track of a cue sheet. */
export interface CueTrack {
  /** Number of the track on its disc. */
  readonly number: number;
  /** Start: a number of samples in a block, of seconds in a text. */
  readonly start: number;
  /** Title; empty if the sheet has none. */
  readonly title: string;
}

/** Number of the track that marks the end of a CD, and of any other medium (RFC 9639 §8.7). */
const leadOutTracks = [170, 255];

/** Number of the index point at which a track begins; point 0 is the pause before it. */
const startPoint = 1;

/** Maximum size of the parsed text of a cue sheet, in characters. A disc has at most 99 tracks. */
export const maxCueText = 64 * 1024;

/** Frames of a second of a CD, which count the times in a text. */
const framesPerSecond = 75;

/**
 * Reads the tracks in the cue sheet block of a FLAC file (RFC 9639 §8.7). Their starts are in samples.
 *
 * @throws FastPathDeclined if the block is cut short.
 */
export function parseCueSheetBlock(block: Buffer): CueTrack[] {
  const fields = new FieldReader(block);
  // The catalogue number, the number of lead-in samples, and the kind of the medium with reserved bits.
  fields.skip(128 + 8 + 259);
  const tracks: CueTrack[] = [];
  for (let remaining = fields.u8(); remaining > 0; remaining -= 1) {
    const offset = fields.u64();
    const number = fields.u8();
    const isrc = fields.bytes(12).toString('latin1').replaceAll('\0', '');
    const isAudio = (fields.u8() & 0x80) === 0;
    // Reserved bits.
    fields.skip(13);
    let start = offset;
    for (let points = fields.u8(); points > 0; points -= 1) {
      const pointOffset = fields.u64();
      if (fields.u8() === startPoint) start = offset + pointOffset;
      // Reserved bits.
      fields.skip(3);
    }
    if (isAudio && !leadOutTracks.includes(number)) tracks.push({ number, start, title: isrc });
  }
  return tracks;
}

/**
 * Reads the tracks in the text of a cue sheet, as CD rippers store it in a comment of the file
 * (https://wiki.hydrogenaud.io/index.php?title=Cue_sheet). Their starts are in seconds.
 *
 * @returns An empty list if the tracks are in several files, because their times then count from the start of each.
 */
export function parseCueSheetText(text: string): CueTrack[] {
  const tracks: { number: number; start?: number; title: string }[] = [];
  let files = 0;
  for (const line of text.slice(0, maxCueText).split(/[\r\n]+/)) {
    const [keyword = '', ...values] = splitLine(line);
    const track = tracks.at(-1);
    if (keyword === 'FILE') files += 1;
    else if (keyword === 'TRACK') tracks.push({ number: Number(values[0]), title: '' });
    else if (track !== undefined && keyword === 'TITLE') track.title = values.join(' ');
    else if (track !== undefined && keyword === 'INDEX' && Number(values[0]) === startPoint) {
      const start = parseTime(values[1] ?? '');
      if (start !== undefined) track.start = start;
    }
  }
  if (files > 1) return [];
  return tracks.flatMap(({ start, ...track }) => (start === undefined ? [] : [{ ...track, start }]));
}

/** Splits a line into its keyword, in upper case, and its values, without their quotes. */
function splitLine(line: string): string[] {
  const [keyword = '', ...rest] = line.trim().split(' ');
  const value = rest.join(' ').trim();
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
  return [keyword.toUpperCase(), ...(isQuoted ? [value.slice(1, -1)] : value.split(' '))];
}

/** Parses minutes, seconds and frames. */
function parseTime(text: string): number | undefined {
  const [, minutes, seconds, frames] = /^(\d{1,4}):(\d{1,2}):(\d{1,2})$/.exec(text) ?? [];
  return frames === undefined ? undefined : Number(minutes) * 60 + Number(seconds) + Number(frames) / framesPerSecond;
}
