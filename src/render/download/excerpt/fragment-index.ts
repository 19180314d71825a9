import type { Clip } from '../../../contract/clip.ts';
import { inBlocks, type Steps } from '../../../waiting/steps.ts';
import { FieldReader } from '../../engine/binary/field-reader.ts';
import { optionalBox } from '../../engine/mp4/box-reader.ts';
import { readSegmentIndex, type SegmentIndex, type SegmentReference } from '../../engine/mp4/segment-index.ts';
import { childBoxes } from './child-boxes.ts';
import { readFragmentStart } from './fragment-start.ts';
import { keySampleBytes, requireKeySample } from './key-sample.ts';
import { declineExcerpt, type Excerpt, endMargin, type IndexReading, type MediaIndex } from './media-index.ts';
import { changedMovieBox, type MovieBoxes } from './movie-boxes.ts';
import { type BoxHeader, readBoxContent, readBoxHeader, readExactly, readUpTo } from './read-range.ts';

/** Maximum size of a segment index in bytes: it has at most 65,535 entries. */
const maxIndexBytes = 1024 * 1024;
const bytesPerReference = 12;
/** Maximum number of indexes that an index refers to. */
const maxIndexes = 64;
/** Maximum number of parts of a file: a file of ten hours with fragments of half a second has 72,000. */
const maxParts = 100_000;
/** Bytes that a part takes with its entry in the index, both of which are objects. */
const bytesPerPart = 250;
/** Number of parts that are read in one step. */
const partsPerStep = 16_384;
/** Maximum size of the list of fragments at the end of a file in bytes. */
const maxListBytes = 8 * 1024 * 1024;
/** Number of bytes at the end of a file that are read to find this list: enough for a film of an hour. */
const tailBytes = 64 * 1024;
/** Maximum number of bytes after the last part, for each part: a list of fragments, but no media. */
const tailBytesPerPart = 64;
/** Maximum number of boxes between the `moov` box and the first fragment. */
const maxBoxes = 64;
/** Maximum number of fragments that are read to find one that begins with a key frame. */
const maxAttempts = 8;
/** Maximum size in bytes of the first box of a fragment that is read for its time. */
const maxFragmentBytes = 1024 * 1024;

/** Seconds between the start of a fragment in an index and the first frame or sample of any of its tracks. */
const reorderingSeconds = 0.25;

const noBytes = Buffer.alloc(0);
/** Boxes of a part up to its first fragment. */
const partBoxes: ReadonlySet<string> = new Set(['styp', 'sidx', 'ssix', 'emsg', 'prft', 'free', 'skip', 'moof']);

/** A part of a file that can be decoded by itself. Times are in seconds on the clock of the file. */
interface MediaPart {
  readonly from: number;
  readonly end: number;
  readonly start: number;
  /** Absent if the file does not state the duration of its last part. */
  readonly duration?: number;
  readonly startsAtSync: boolean;
}

/**
 * Reads the index of a fragmented MP4 file: a `sidx` box before the first fragment, or else an `mfra` box at the end.
 *
 * @param fileType - its whole `ftyp` box; empty without one.
 * @param offset - offset after its `moov` box.
 */
export function* readFragmentIndex(
  movie: MovieBoxes,
  fileType: Buffer,
  offset: number,
  size: number,
  clip: Clip,
): IndexReading {
  if (movie.tracks.some(({ table }) => hasSamples(table))) declineExcerpt('some of its samples are not in fragments');
  const { index, fragment } = yield* readFrontBoxes(offset, size, mainTrack(movie)?.id);
  const parts =
    index === undefined
      ? yield* verifyParts(yield* readFragmentList(movie, size), { movie, size, clip })
      : yield* readParts(index, { size, clip, depth: 0 });
  yield undefined;
  const sourceStart = fragment === undefined ? undefined : readFragmentStart(fragment, movie)?.time;
  // A list of fragments states when their first frames are decoded, and an index states the times of one track.
  const hasExactTimes = index !== undefined && movie.tracks.length === 1;
  return fragmentedIndex(movie, fileType, parts, sourceStart, hasExactTimes);
}

function hasSamples(table: MovieBoxes['tracks'][number]['table']): boolean {
  const sizes = optionalBox(table, 'stsz');
  return sizes !== undefined && sizes.length >= 12 && sizes.readUInt32BE(8) > 0;
}

/** Returns the track whose index is used. */
function mainTrack({ tracks }: MovieBoxes): MovieBoxes['tracks'][number] | undefined {
  return tracks.find(({ kind }) => kind === 'video') ?? tracks[0];
}

/** Reads the index of a track before the first fragment, or else that of another track, and the head of that fragment. */
function* readFrontBoxes(
  offset: number,
  size: number,
  trackId: number | undefined,
): IndexReading<{ readonly index: SegmentIndex | undefined; readonly fragment: Buffer | undefined }> {
  let index: SegmentIndex | undefined;
  for (let count = 0, at = offset; count < maxBoxes && at < size; count += 1) {
    const box: BoxHeader = yield* readBoxHeader(at, size);
    if (box.type === 'mdat') declineExcerpt('some of its media precedes its fragments');
    if (box.type === 'sidx') {
      const other = yield* readIndexBox(box, size);
      if (index === undefined || (index.trackId !== trackId && other.trackId === trackId)) index = other;
      yield undefined;
    }
    if (box.type === 'moof') return { index, fragment: yield* readBoxContent(box, size, maxFragmentBytes) };
    at = box.end;
  }
  return { index, fragment: undefined };
}

function* readIndexBox(box: BoxHeader, size: number): IndexReading<SegmentIndex> {
  const content = yield* readBoxContent(box, size, maxIndexBytes);
  yield { memory: (content.length / bytesPerReference) * bytesPerPart };
  return readSegmentIndex(content, box.end);
}

interface PartContext {
  readonly size: number;
  readonly clip: Clip;
  /** Number of indexes above this one. */
  readonly depth: number;
}

/** Lists the parts of an index, and those of the indexes that it refers to and that the clip needs. */
function* readParts(index: SegmentIndex, { size, clip, depth }: PartContext): IndexReading<MediaPart[]> {
  const { references, start, flat } = index;
  const last = references.at(-1);
  if (last === undefined || last.to > size) declineExcerpt('its index does not fit the file');
  if (size - last.to > tailBytesPerPart * (references.length + 1)) yield* requireEnd(last.to, size);
  if (flat) return timedParts(references, start);
  if (depth > 0) declineExcerpt('its indexes are nested too deeply');
  const parts: MediaPart[] = [];
  let [time, count] = [start, 0];
  for (const { from, to, duration, isIndex } of references) {
    if (!isIndex) declineExcerpt('its index lists both media and further indexes');
    const isNeeded = isBefore(time, clip, start) && time + duration > start + clip.start - endMargin;
    const part = { from, end: to, start: time, duration, startsAtSync: true };
    time += duration;
    // The parts of an index that is not needed stay together.
    if (!isNeeded) parts.push(part);
    else if (count === maxIndexes) declineExcerpt('it has too many indexes');
    else {
      count += 1;
      const box = yield* readBoxHeader(from, size);
      if (box.type !== 'sidx') declineExcerpt('its index is damaged');
      const inner = yield* readIndexBox(box, size);
      if (!inner.flat || (inner.references.at(-1)?.to ?? 0) > to) declineExcerpt('its indexes are nested too deeply');
      if (parts.length + inner.references.length > maxParts) declineExcerpt('its index is too large');
      parts.push(...timedParts(inner.references, part.start));
      yield undefined;
    }
  }
  return parts;
}

function isBefore(time: number, { end }: Clip, start: number): boolean {
  return end === undefined || time < start + end + endMargin;
}

function timedParts(references: readonly SegmentReference[], start: number): MediaPart[] {
  let time = start;
  return references.map(({ from, to, duration, startsAtSync }) => {
    const part = { from, end: to, start: time, duration, startsAtSync };
    time += duration;
    return part;
  });
}

/** Declines a file that has media after the last part of its index. */
function* requireEnd(offset: number, size: number): IndexReading<void> {
  const bytes = yield* readUpTo(offset, 8, size);
  const type = bytes.toString('latin1', 4, 8);
  if (['moof', 'sidx', 'styp', 'mdat'].includes(type)) declineExcerpt('its index covers only a part of it');
}

/** Reads the list of fragments at the end of a file (ISO/IEC 14496-12 §8.8.9 to §8.8.11). */
function* readFragmentList(movie: MovieBoxes, size: number): IndexReading<MediaPart[]> {
  const tail = yield* readUpTo(Math.max(0, size - tailBytes), tailBytes, size);
  const isList = tail.length >= 16 && tail.toString('latin1', tail.length - 12, tail.length - 8) === 'mfro';
  if (!isList) declineExcerpt('it has no index');
  const length = tail.readUInt32BE(tail.length - 4);
  if (length > size || length < 16) declineExcerpt('its index is damaged');
  const from = size - length;
  const list =
    length <= tail.length ? tail.subarray(tail.length - length) : yield* readExactly(from, length, size, maxListBytes);
  const [box] = childBoxes(list);
  if (box?.type !== 'mfra') declineExcerpt('its index is damaged');
  const tables = childBoxes(box.body).flatMap(({ type, body }) => (type === 'tfra' ? [body] : []));
  const main = mainTrack(movie);
  const table = tables.find((body) => body.length >= 8 && body.readUInt32BE(4) === main?.id);
  if (table === undefined || main === undefined) declineExcerpt('it has no index');
  return yield* listedParts(table, main.timescale, from);
}

/**
 * Finds the last part before a clip that begins with a key frame. Some writers list all fragments, although only those
 * at which decoding can begin should be listed.
 */
function* verifyParts(
  parts: readonly MediaPart[],
  { movie, size, clip }: { readonly movie: MovieBoxes; readonly size: number; readonly clip: Clip },
): IndexReading<MediaPart[]> {
  const begin = (parts[0]?.start ?? 0) + clip.start;
  let at = Math.max(
    0,
    parts.findLastIndex(({ start }) => start + reorderingSeconds <= begin),
  );
  for (let attempts = 0; at > 0; at -= 1, attempts += 1) {
    if (attempts === maxAttempts) declineExcerpt('its index does not lead to key frames');
    const box = yield* readBoxHeader(parts[at]?.from ?? 0, size);
    const start =
      box.type === 'moof' ? readFragmentStart(yield* readBoxContent(box, size, maxFragmentBytes), movie) : undefined;
    if (start?.isSync === true) break;
  }
  const verified: MediaPart[] = [];
  yield* inBlocks(
    parts.length,
    (first, end) => {
      for (const [index, part] of parts.slice(first, end).entries()) {
        const position = first + index;
        verified.push({ ...part, startsAtSync: position === at || position === 0 });
      }
    },
    partsPerStep,
  );
  return verified;
}

function* listedParts(body: Buffer, timescale: number, end: number): IndexReading<MediaPart[]> {
  const fields = new FieldReader(body);
  const isLong = fields.versionAndFlags().version === 1;
  fields.skip(4);
  const lengths = fields.u32();
  const count = fields.u32();
  const numberBytes = [4, 2, 0].reduce((sum, shift) => sum + ((lengths >>> shift) & 3) + 1, 0);
  const table = new FieldReader(fields.table(count, (isLong ? 16 : 8) + numberBytes));
  if (count > maxParts) declineExcerpt('its index is too large');
  yield { memory: count * bytesPerPart };
  const entries: { readonly time: number; readonly from: number }[] = [];
  const readEntries = (first: number, last: number) => {
    for (let at = first; at < last; at += 1) {
      const time = (isLong ? table.u64() : table.u32()) / timescale;
      const from = isLong ? table.u64() : table.u32();
      table.skip(numberBytes);
      // A fragment is listed once for each sample at which decoding can begin.
      if (entries.at(-1)?.from !== from) entries.push({ time, from });
    }
  };
  yield* inBlocks(count, readEntries, partsPerStep);
  return entries.map(({ time, from }, at) => {
    const next = entries[at + 1];
    const duration = next === undefined ? {} : { duration: next.time - time };
    return { from, end: next?.from ?? end, start: time, ...duration, startsAtSync: true };
  });
}

/** @param hasExactTimes - whether every track has media from the start of a part on. */
function fragmentedIndex(
  movie: MovieBoxes,
  fileType: Buffer,
  parts: readonly MediaPart[],
  sourceStart: number | undefined,
  hasExactTimes: boolean,
): MediaIndex {
  const [first, last] = [parts[0], parts.at(-1)];
  if (first === undefined || last === undefined) declineExcerpt('its index is empty');
  const isOrdered = parts.every(({ from, end, duration = 0, start }, at) => {
    const next = parts[at + 1];
    return end > from && duration >= 0 && start + duration < 1e9 && (next === undefined || next.from === end);
  });
  if (!isOrdered) declineExcerpt('its index is not in order');
  const hasVideo = movie.tracks.some(({ kind }) => kind === 'video');
  if (hasVideo && parts.every(({ startsAtSync }) => !startsAtSync)) declineExcerpt('its index lists no key frames');
  const duration = last.duration === undefined ? {} : { duration: last.start + last.duration - first.start };
  const planExcerpt = function* ({ start, end }: Clip): Steps<Excerpt> {
    const begin = first.start + start;
    const lead = hasExactTimes ? 0 : reorderingSeconds;
    const firstPart = parts.findLastIndex((part) => part.start + lead <= begin && (part.startsAtSync || !hasVideo));
    yield undefined;
    const from = parts[Math.max(0, firstPart)] ?? first;
    const stop = end === undefined ? Number.POSITIVE_INFINITY : first.start + end + endMargin;
    const until = parts.findLast((part) => part.start < stop && part.from >= from.from) ?? from;
    // The durations in the former headers are those of the whole file.
    const changes = movie.tracks.map(() => ({ keepsEdit: true, mediaDuration: 0, duration: 0 }));
    const head = Buffer.concat([fileType, ...changedMovieBox(movie, movie.timescale, 0, changes)]);
    const indexedStart = from.start - first.start + (sourceStart ?? first.start);
    const media = { from: from.from, end: until.end };
    const length =
      until.duration === undefined ? {} : { end: indexedStart + until.start + until.duration - from.start };
    const excerpt = { parts: [head, media], start: indexedStart, ...length, hasFragments: true };
    return { ...excerpt, measureStart: startMeasure(movie, sourceStart, indexedStart) };
  };
  return { start: sourceStart ?? first.start, ...duration, hasVideo, planExcerpt };
}

/** Returns the function that measures the start of an excerpt, without the parts of the index, which are many. */
function startMeasure(movie: MovieBoxes, sourceStart: number | undefined, indexedStart: number) {
  return (bytes: Buffer) => measureStart(bytes, movie, sourceStart) ?? indexedStart;
}

/**
 * Returns the start of an excerpt according to its first fragment.
 *
 * @param sourceStart - the same time of the whole file.
 * @returns undefined if one of the two does not state it.
 * @throws ExcerptDeclined if the bytes are not the beginning of a part.
 */
function measureStart(bytes: Buffer, movie: MovieBoxes, sourceStart: number | undefined): number | undefined {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (length < 8 || !partBoxes.has(type)) declineExcerpt('its index does not match its media');
    if (type === 'moof') {
      const start = readFragmentStart(bytes.subarray(at + 8, at + length), movie);
      if (start?.isSync === false) declineExcerpt('its index does not lead to key frames');
      for (const { track, offset } of start?.videos ?? []) {
        const head = offset < length ? noBytes : bytes.subarray(at + offset, at + offset + keySampleBytes);
        if (head.length > 0) requireKeySample(track, head);
      }
      return sourceStart === undefined ? undefined : start?.time;
    }
    at += length;
  }
  return undefined;
}
