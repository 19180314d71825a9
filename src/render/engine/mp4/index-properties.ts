import type { ByteSource } from '../binary/byte-source.ts';
import { FastPathDeclined, undefinedIfDeclined } from '../binary/fast-path-declined.ts';
import { FieldReader } from '../binary/field-reader.ts';
import { type Box, childBoxes, optionalBox, readBoxBody, requiredBox, walkBoxes } from './box-reader.ts';
import { maxMovieBytes } from './movie-reader.ts';
import { readLanguageTag, readTrackId } from './track-reader.ts';
import { noShifts, readTrackShifts, type TrackShifts } from './track-shifts.ts';

/** Facts from the index (`moov`) of an MP4 file that the media library does not report. */
interface IndexProperties {
  /** Whether the index lists all samples, so that a track without samples is empty. False for fragmented files. */
  readonly listsAllSamples: boolean;
  /**
   * IDs of the tracks whose edit list has an empty edit after another edit: they pause there. FFmpeg 8.1 plays their
   * beginning instead (seen 2026-11-22).
   */
  readonly pausedTracks: ReadonlySet<number>;
  /** IDs of the tracks whose sample description declares encryption. */
  readonly encryptedTracks: ReadonlySet<number>;
  /**
   * IDs of the other tracks if one has IAMF audio. FFmpeg 8.1 delivers its parts, each with some of the channels, as
   * streams without such an ID.
   */
  readonly tracksBesideIamf?: ReadonlySet<number>;
  /** Language tags (`elng`) by track ID. */
  readonly languageTags: ReadonlyMap<number, string>;
  readonly shifts: TrackShifts;
}

/** The properties of a file without a readable index. */
const noIndex: IndexProperties = {
  listsAllSamples: false,
  pausedTracks: new Set(),
  encryptedTracks: new Set(),
  languageTags: new Map(),
  shifts: noShifts,
};

/** Reads the index of an MP4 file. Other files have none. */
export function readIndexProperties(source: ByteSource): IndexProperties {
  try {
    for (const box of walkBoxes(source)) {
      if (box.type !== 'moov') continue;
      const boxes = childBoxes(readBoxBody(source, box, maxMovieBytes));
      const tracks = boxes.filter(({ type }) => type === 'trak');
      return {
        listsAllSamples: !boxes.some(({ type }) => type === 'mvex'),
        pausedTracks: trackIdsOf(tracks.filter(hasPause)),
        encryptedTracks: trackIdsOf(tracks.filter((track) => hasEntry(track, encryptedEntries))),
        ...(tracks.some(isIamf) && { tracksBesideIamf: trackIdsOf(tracks.filter((track) => !isIamf(track))) }),
        languageTags: new Map(
          tracks.flatMap(({ body }) => {
            const tag = languageTagOf(body);
            return tag === undefined ? [] : [[trackIdOf(body), tag] as const];
          }),
        ),
        shifts: undefinedIfDeclined(() => readTrackShifts(source, boxes)) ?? noShifts,
      };
    }
    return noIndex;
  } catch (error) {
    if (error instanceof FastPathDeclined) return noIndex;
    throw error;
  }
}

/** Sample entries of encrypted media (ISO/IEC 14496-12 §8.12.1), and those of the iTunes Store. */
const encryptedEntries = new Set(['encv', 'enca', 'enct', 'drmi', 'drms']);

function trackIdsOf(tracks: readonly Box[]): ReadonlySet<number> {
  return new Set(tracks.map(({ body }) => trackIdOf(body)));
}

function trackIdOf(track: Buffer): number {
  return readTrackId(requiredBox(childBoxes(track), 'tkhd'));
}

/** Returns the language tag of a track; undefined if it has none, or cannot be read. */
function languageTagOf(track: Buffer): string | undefined {
  return undefinedIfDeclined(() => {
    return readLanguageTag(optionalBox(childBoxes(requiredBox(childBoxes(track), 'mdia')), 'elng'));
  });
}

/** Sample entry of the Immersive Audio Model and Formats (https://aomediacodec.github.io/iamf/, §6.2.3). */
const iamfEntries = new Set(['iamf']);

function isIamf(track: Box): boolean {
  return hasEntry(track, iamfEntries);
}

/**
 * Returns whether a track has one of the sample entries. False if its description cannot be read, so that the other
 * properties of the file remain usable.
 */
function hasEntry({ body }: Box, entries: ReadonlySet<string>): boolean {
  try {
    let boxes = childBoxes(body);
    for (const type of ['mdia', 'minf', 'stbl']) boxes = childBoxes(requiredBox(boxes, type));
    // The version and the entry count precede the entries.
    return childBoxes(requiredBox(boxes, 'stsd').subarray(8)).some(({ type }) => entries.has(type));
  } catch (error) {
    if (error instanceof FastPathDeclined) return false;
    throw error;
  }
}

function hasPause({ body }: Box): boolean {
  const edits = optionalBox(childBoxes(body), 'edts');
  const list = edits === undefined ? undefined : optionalBox(childBoxes(edits), 'elst');
  if (list === undefined) return false;
  const fields = new FieldReader(list);
  const { version } = fields.versionAndFlags();
  const count = fields.u32();
  for (let entry = 0; entry < count; entry += 1) {
    // An entry has a duration, a media time and a rate (ISO/IEC 14496-12 §8.6.6).
    fields.skip(version === 1 ? 8 : 4);
    const mediaTime = version === 1 ? fields.i64() : fields.i32();
    fields.skip(4);
    if (mediaTime === -1 && entry > 0) return true;
  }
  return false;
}
