import type { ByteSource } from '../binary/byte-source.ts';
import { flacBlockKinds, flacBlocks } from '../tags/flac-blocks.ts';
import { readComments } from '../tags/vorbis-comments.ts';
import type { Chapter } from './chapter.ts';
import { maxCueText, parseCueSheetBlock, parseCueSheetText } from './cue-sheet.ts';
import { parseChapterComments } from './vorbis-chapters.ts';

/** Name of the comment in which CD rippers store the text of a cue sheet. */
const cueSheetComment = 'CUESHEET';

/**
 * Returns the chapters of a FLAC file: those in its comments, or else the tracks of its cue sheet.
 *
 * @throws FastPathDeclined if its comments or its cue sheet are cut short.
 */
export function readFlacChapters(source: ByteSource): Chapter[] {
  const blocks = [...flacBlocks(source)];
  const read = (kind: number) => {
    const block = blocks.find((each) => each.kind === kind);
    return block === undefined ? undefined : source.read(block.offset, block.size);
  };
  const comments = read(flacBlockKinds.comments);
  const chapters = comments === undefined ? [] : parseChapterComments(comments);
  if (chapters.length > 0) return chapters;
  const textTracks = comments === undefined ? [] : parseCueSheetText(readCueText(comments));
  const sheet = read(flacBlockKinds.cueSheet);
  const sampleRate = readSampleRate(read(flacBlockKinds.streamInfo));
  if (sheet === undefined || sampleRate === 0) return textTracks.map(({ start, title }) => ({ start, title }));
  // The block has exact times, but a code of the recording in place of the title.
  const titles = new Map(textTracks.map(({ number, title }) => [number, title]));
  return parseCueSheetBlock(sheet).map(({ number, start, title }) => ({
    start: start / sampleRate,
    title: titles.get(number) || title,
  }));
}

function readCueText(comments: Buffer): string {
  for (const [name, value] of readComments(comments)) {
    if (name === cueSheetComment) return value.toString('utf8', 0, maxCueText);
  }
  return '';
}

/** Returns the sample rate in the stream information (RFC 9639 §8.2), in hertz; 0 without one. */
function readSampleRate(streamInfo: Buffer | undefined): number {
  return streamInfo === undefined || streamInfo.length < 13 ? 0 : streamInfo.readUIntBE(10, 3) >> 4;
}
