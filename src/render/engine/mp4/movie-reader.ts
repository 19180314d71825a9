import type { ByteSource } from '../binary/byte-source.ts';
import { decline } from '../binary/fast-path-declined.ts';
import { FieldReader } from '../binary/field-reader.ts';
import {
  childBoxes,
  optionalBox,
  readBoxBody,
  readTopBoxes,
  requiredBox,
  requireKnownBoxes,
  type TopBox,
} from './box-reader.ts';
import {
  type FragmentDefaults,
  type FragmentedTrack,
  type FragmentPlace,
  readDefaults,
  readFragment,
} from './fragment-reader.ts';
import { requireNoMetadata } from './require-no-metadata.ts';
import { maxSamples, type SampleList } from './sample-list.ts';
import { readSampleTable } from './sample-table-reader.ts';
import { readSegmentIndex, type SegmentIndex } from './segment-index.ts';
import { readMovieHeader, readTrack, type Track } from './track-reader.ts';

/**
 * Maximum size of an index, and of the index of a fragment, in bytes: four times the size of the index of the longest
 * film seen.
 */
export const maxMovieBytes = 128 * 1024 * 1024;
export const maxFragmentBytes = 16 * 1024 * 1024;
/** Maximum number of tracks in a file. */
const maxFileTracks = 16;

const topLevelBoxes = new Set([
  ...['ftyp', 'moov', 'mdat', 'moof', 'sidx', 'ssix', 'styp', 'free', 'skip', 'wide', 'mfra', 'emsg', 'prft', 'pdin'],
]);
const movieBoxes = new Set(['mvhd', 'trak', 'mvex', 'udta', 'iods', 'free', 'skip']);

/** Content of the index of a file (its `moov` box). */
export interface MovieHead {
  readonly tracks: readonly Track[];
  /** Defaults of the samples in fragments, by track ID; absent in a file without fragments. */
  readonly defaults?: ReadonlyMap<number, FragmentDefaults>;
  /** Declared duration of all fragments, in seconds. */
  readonly declaredDuration?: number;
}

/** A file whose index was read. */
export interface Movie extends MovieHead {
  /** The `moof` boxes of its fragments. */
  readonly fragments: readonly TopBox[];
  /** The index of its fragments, if there is exactly one. */
  readonly index?: SegmentIndex;
}

/**
 * Reads the index of a file, without its samples.
 *
 * @param select - returns the part of the body of its `moov` box to read.
 * @throws FastPathDeclined
 */
export function readMovie(source: ByteSource, select = (body: Buffer) => body): Movie {
  const boxes = readTopBoxes(source);
  requireKnownBoxes(boxes, topLevelBoxes, 'at its top level');
  const [ftyp, ...otherTypes] = boxes.filter(({ type }) => type === 'ftyp');
  const [moov, ...otherMovies] = boxes.filter(({ type }) => type === 'moov');
  if (ftyp === undefined || moov === undefined || otherTypes.length > 0 || otherMovies.length > 0) {
    decline('it is not a single MP4 file');
  }
  requireNotQuickTime(readBoxBody(source, ftyp, 4096));
  const head = readMovieHead(select(readBoxBody(source, moov, maxMovieBytes)));
  const fragments = boxes.filter(({ type }) => type === 'moof');
  if (fragments.length > 0 && head.defaults === undefined) decline('it has fragments that its index does not declare');
  const indexes = boxes.filter(({ type }) => type === 'sidx');
  const [box] = indexes;
  // Several indexes are either one per segment or a hierarchy. In neither case does one index list the whole file.
  if (box === undefined || indexes.length > 1) return { ...head, fragments };
  return { ...head, fragments, index: readSegmentIndex(readBoxBody(source, box, 1024 * 1024), box.end) };
}

/**
 * Declines QuickTime files, because their boxes have different content under the same names.
 *
 * @param fileType - body of the `ftyp` box.
 */
export function requireNotQuickTime(fileType: Buffer): void {
  const brand = new FieldReader(fileType).bytes(4).toString('latin1');
  if (brand === 'qt  ') decline('it is a QuickTime file');
}

/**
 * Reads the index of a file.
 *
 * @param body - body of the `moov` box.
 * @throws FastPathDeclined
 */
export function readMovieHead(body: Buffer): MovieHead {
  const boxes = childBoxes(body);
  requireKnownBoxes(boxes, movieBoxes, 'in its index');
  requireNoMetadata(optionalBox(boxes, 'udta'));
  const scale = readMovieHeader(requiredBox(boxes, 'mvhd'));
  const trackBoxes = boxes.filter(({ type }) => type === 'trak');
  if (trackBoxes.length === 0 || trackBoxes.length > maxFileTracks) decline(`it has ${trackBoxes.length} tracks`);
  const tracks = trackBoxes.map((box) => readTrack(box.body, scale));
  if (new Set(tracks.map(({ id }) => id)).size < tracks.length) decline('several of its tracks have the same number');
  const mvex = optionalBox(boxes, 'mvex');
  if (mvex === undefined) return { tracks };
  const parts = childBoxes(mvex);
  const mehd = optionalBox(parts, 'mehd');
  const declaredDuration = mehd === undefined ? 0 : readFragmentDuration(mehd) / scale;
  return { tracks, defaults: readDefaults(parts), ...(declaredDuration > 0 ? { declaredDuration } : {}) };
}

function readFragmentDuration(body: Buffer): number {
  const fields = new FieldReader(body);
  return fields.versionAndFlags().version === 1 ? fields.u64() : fields.u32();
}

/** Reads the samples of tracks. */
export class SampleReader {
  readonly #tracks = new Map<number, FragmentedTrack>();

  /**
   * Starts with the samples that the index itself lists.
   *
   * @param maxSampleCount - maximum number of samples in all tracks together; a file has fewer samples than bytes.
   */
  constructor({ defaults }: MovieHead, tracks: readonly Track[], maxSampleCount: number) {
    const limit = Math.floor(Math.min(maxSamples, maxSampleCount) / Math.max(1, tracks.length));
    for (const { id, kind, timescale, table } of tracks) {
      const allSync = kind === 'audio';
      const samples = readSampleTable(table, allSync, limit);
      const common = defaults?.get(id) ?? { duration: 0, size: 0, flags: 0 };
      this.#tracks.set(id, { defaults: common, allSync, timescale, samples });
    }
  }

  /** Adds the samples of a fragment, given its `moof` box. */
  addFragment(source: ByteSource, box: TopBox, { positionShift, from, to }: Omit<FragmentPlace, 'offset'>): void {
    const place = { offset: box.offset, positionShift, from, to };
    readFragment(readBoxBody(source, box, maxFragmentBytes), place, this.#tracks);
  }

  /** Returns the samples of a track, which must fit into the `size` bytes of their file. */
  finish({ id }: Track, size: number): SampleList {
    const { samples } = this.#tracks.get(id) ?? decline('one of its tracks was not read');
    samples.verify(size);
    return samples;
  }
}
