import { findFlvBreak } from './flv-break.ts';
import { findMatroskaBreak } from './matroska-break.ts';
import { findOggBreak } from './ogg-break.ts';
import type { FindBreak } from './packet-place.ts';
import { findTransportStreamBreak } from './transport-stream-break.ts';

/** The functions that find damage in files with timestamps, by FFmpeg's name of the demuxer. */
const finders: ReadonlyMap<string, FindBreak> = new Map<string, FindBreak>([
  ['matroska,webm', findMatroskaBreak],
  ['ogg', findOggBreak],
  ['flv', findFlvBreak],
  ['mpegts', findTransportStreamBreak],
  // Frames of FLAC follow one another directly.
  ['flac', (_source, { position, size }, next) => (position + size < next ? position + size : undefined)],
]);

/** Returns the function that finds damage in files of a format; undefined for formats that are not examined. */
export function breakFinder(format: string): FindBreak | undefined {
  return finders.get(format);
}
