import type { Clip } from '../../../contract/clip.ts';
import type { Steps } from '../../../waiting/steps.ts';
import {
  type ChildElement,
  childElements,
  ebmlIds,
  readElement,
  uintOf,
  walkElements,
} from '../../engine/binary/ebml.ts';
import { decline } from '../../engine/binary/fast-path-declined.ts';
import type { ByteRange } from '../byte-ranges.ts';
import { readClusterStart } from './matroska-cluster.ts';
import { declineExcerpt, type Excerpt, endMargin, type IndexReading, type MediaIndex } from './media-index.ts';
import { readExactly, readUpTo } from './read-range.ts';

/** IDs of elements (RFC 9559 §5.1). */
const ids = {
  seekHead: 0x114d9b74,
  seek: 0x4dbb,
  seekId: 0x53ab,
  seekPosition: 0x53ac,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  checksum: 0xbf,
  tracks: 0x1654ae6b,
  track: 0xae,
  trackNumber: 0xd7,
  trackType: 0x83,
  cues: 0x1c53bb6b,
  cue: 0xbb,
  cueTime: 0xb3,
  cuePositions: 0xb7,
  cueTrack: 0xf7,
  cuePosition: 0xf1,
  chapters: 0x1043a770,
  tags: 0x1254c367,
  attachments: 0x1941a469,
} as const;

/** Elements that an excerpt keeps unchanged. */
const keptIds: ReadonlySet<number> = new Set([ids.attachments, ids.chapters, ids.tags]);
/** A segment of unknown size, which ends with the file. */
const openSegment = Buffer.from('1853806701ffffffffffffff', 'hex');
const maxHeadElements = 64;
const maxHeadBytes = 4 * 1024 * 1024;
/** Maximum number of elements inside one element, and of fields of a position in the cues. */
const maxChildren = 256;
const maxPositionFields = 16;
/** Maximum size and number of the cues: enough for 40 hours of cues each second. */
const maxCueBytes = 8 * 1024 * 1024;
const maxCues = 150_000;
/** Smallest size of a cue in bytes, and those of the object that it becomes. */
const bytesOfCue = { written: 12, read: 80 } as const;
/** Number of elements of the cues that are read in one step. */
const elementsPerStep = 8192;
/** Number of bytes of the first cluster that are read for its time. */
const clusterBytes = 64 * 1024;
/** Video in the `TrackType` of a track. */
const videoType = 1;

/** An element of the segment. Positions are offsets in the file. */
interface SegmentElement extends ByteRange {
  readonly id: number;
  readonly dataOffset: number;
}

/** A time at which decoding can begin, in seconds, and the offset of its cluster. */
interface Cue {
  readonly time: number;
  readonly position: number;
}

/**
 * Reads the index of a Matroska or WebM file: its cues, at its beginning or its end.
 *
 * @param size - size of the file in bytes.
 * @throws ExcerptDeclined or FastPathDeclined if it has no index, or an unusual one.
 */
export function* readMatroskaIndex(size: number): IndexReading {
  const header = yield* readElementAt(0, size);
  const segment = header.size === undefined ? undefined : yield* readElementAt(header.dataOffset + header.size, size);
  if (header.id !== ebmlIds.header || segment?.id !== ebmlIds.segment) declineExcerpt('its structure is damaged');
  const origin = segment.dataOffset;
  const end = Math.min(size, segment.size === undefined ? size : origin + segment.size);
  const front = yield* readFront(origin, end);
  const elements = [...front.elements, ...(yield* readSoughtElements(front, origin, end))];
  const bodyOf = function* (id: number, limit: number): IndexReading<Buffer> {
    const element = elements.find((one) => one.id === id) ?? declineExcerpt('it has no index');
    return yield* readExactly(element.dataOffset, element.end - element.dataOffset, size, limit);
  };
  const ebmlHeader = yield* readExactly(0, header.dataOffset + (header.size ?? 0), size, maxHeadBytes);
  const info = childElements(yield* bodyOf(ids.info, maxHeadBytes), maxChildren);
  const tracks = yield* bodyOf(ids.tracks, maxHeadBytes);
  const scale = uintOf(info, ids.timestampScale, 1_000_000) / 1e9;
  if (!(scale > 0 && scale <= 1)) declineExcerpt('its clock is impossible');
  const trackList = readTracks(tracks);
  yield undefined;
  const cueBody = yield* bodyOf(ids.cues, maxCueBytes);
  yield { memory: Math.min(maxCues, cueBody.length / bytesOfCue.written) * bytesOfCue.read };
  const cues = yield* readCues(cueBody, trackList, {
    scale,
    origin,
    first: front.cluster,
    end,
  });
  const firstCluster = yield* readUpTo(front.cluster, clusterBytes, end);
  const start = readClusterStart(firstCluster, scale) ?? declineExcerpt('its first cluster is damaged');
  const declaredEnd = readDuration(info) * scale;
  const kept = elements.filter(({ id }) => keptIds.has(id));
  const head = Buffer.concat([ebmlHeader, openSegment, infoElement(info), element(ids.tracks, tracks)]);
  const mediaEnd = Math.min(end, ...elements.map(({ from }) => from).filter((from) => from > lastPosition(cues)));
  return matroskaIndex({ head, kept, cues, start, scale, cluster: front.cluster, mediaEnd }, declaredEnd, trackList);
}

/** The header of an element. */
type Header = Exclude<ReturnType<typeof readElement>, undefined>;

function* readElementAt(offset: number, size: number): IndexReading<Header> {
  const bytes = yield* readUpTo(offset, 12, size);
  const source = { size: bytes.length, read: (at: number, length: number) => bytes.subarray(at, at + length) };
  const found = readElement(source, 0) ?? declineExcerpt('its structure is damaged');
  return { ...found, dataOffset: offset + found.dataOffset };
}

/** The elements before the first cluster, and its offset. */
interface Front {
  readonly elements: readonly SegmentElement[];
  readonly cluster: number;
}

function* readFront(origin: number, end: number): IndexReading<Front> {
  const elements: SegmentElement[] = [];
  let offset = origin;
  for (let count = 0; count < maxHeadElements; count += 1) {
    const { id, size, dataOffset } = yield* readElementAt(offset, end);
    if (id === ebmlIds.cluster) return { elements, cluster: offset };
    if (size === undefined || dataOffset + size > end) declineExcerpt('its structure is damaged');
    elements.push({ id, from: offset, dataOffset, end: dataOffset + size });
    offset = dataOffset + size;
  }
  return declineExcerpt('its media begins too late');
}

/** Finds elements after the media that a SeekHead before the media refers to. */
function* readSoughtElements(
  { elements, cluster }: Front,
  origin: number,
  end: number,
): IndexReading<SegmentElement[]> {
  const sought = new Map<number, number>();
  for (const seekHead of elements.filter(({ id }) => id === ids.seekHead)) {
    const body = yield* readExactly(seekHead.dataOffset, seekHead.end - seekHead.dataOffset, end, maxHeadBytes);
    for (const seek of childElements(body, maxChildren).filter(({ id }) => id === ids.seek)) {
      const parts = childElements(seek.body, maxChildren);
      sought.set(uintOf(parts, ids.seekId, 0), origin + uintOf(parts, ids.seekPosition, 0));
    }
    yield undefined;
  }
  const found: SegmentElement[] = [];
  for (const [id, from] of [...sought].toSorted(([, one], [, other]) => one - other)) {
    const isNeeded = id === ids.cues || keptIds.has(id);
    if (!isNeeded || from < cluster || from >= end || elements.some((one) => one.id === id)) continue;
    const { id: actualId, size, dataOffset } = yield* readElementAt(from, end);
    if (actualId !== id || size === undefined || dataOffset + size > end) declineExcerpt('its index is damaged');
    found.push({ id, from, dataOffset, end: dataOffset + size });
  }
  return found;
}

/** A track: its number, and whether it is video. */
interface TrackSummary {
  readonly number: number;
  readonly isVideo: boolean;
}

function readTracks(body: Buffer): TrackSummary[] {
  return childElements(body, maxChildren)
    .filter(({ id }) => id === ids.track)
    .map((track) => {
      const parts = childElements(track.body, maxChildren);
      return { number: uintOf(parts, ids.trackNumber, 0), isVideo: uintOf(parts, ids.trackType, 0) === videoType };
    });
}

interface CueContext {
  readonly scale: number;
  /** Offset that positions in cues are relative to. */
  readonly origin: number;
  /** Offset of the first cluster, and the end of the segment. */
  readonly first: number;
  readonly end: number;
}

/** Reads the cues of the video, or of all tracks if there is no video. They must be in order. */
function* readCues(
  body: Buffer,
  tracks: readonly TrackSummary[],
  { scale, origin, first, end }: CueContext,
): Steps<Cue[]> {
  const videos = new Set(tracks.filter(({ isVideo }) => isVideo).map(({ number }) => number));
  const cues: Cue[] = [];
  let work = 0;
  for (const point of walkElements(body, maxCues)) {
    if (work > elementsPerStep) {
      work = 0;
      yield undefined;
    }
    work += 1;
    if (point.id !== ids.cue) continue;
    const parts = childElements(point.body, maxChildren);
    work += parts.length;
    const time = uintOf(parts, ids.cueTime, 0) * scale;
    for (const { id, body: positions } of parts) {
      if (id !== ids.cuePositions) continue;
      const fields = childElements(positions, maxPositionFields);
      work += fields.length;
      if (videos.size > 0 && !videos.has(uintOf(fields, ids.cueTrack, 0))) continue;
      cues.push({ time, position: origin + uintOf(fields, ids.cuePosition, 0) });
    }
    if (cues.length > maxCues) decline('its index is too large');
  }
  yield undefined;
  const isOrdered = cues.every(({ time, position }, at) => {
    const next = cues[at + 1];
    const isAfter = next === undefined || (next.time >= time && next.position >= position);
    return time < 1e9 && position >= first && position < end && isAfter;
  });
  if (!isOrdered) decline('its index is not in order');
  return cues.length === 0 ? decline('its index is empty') : cues;
}

function lastPosition(cues: readonly Cue[]): number {
  return cues.at(-1)?.position ?? 0;
}

/** Returns the declared duration in ticks; 0 without one. */
function readDuration(info: readonly ChildElement[]): number {
  const body = info.find(({ id }) => id === ids.duration)?.body;
  const value = body?.length === 8 ? body.readDoubleBE(0) : body?.length === 4 ? body.readFloatBE(0) : 0;
  return Number.isFinite(value) ? value : 0;
}

/** Rebuilds the information about the segment, without the duration of the whole file and its checksum. */
function infoElement(info: readonly ChildElement[]): Buffer {
  const kept = info.filter(({ id }) => id !== ids.duration && id !== ids.checksum);
  return element(ids.info, Buffer.concat(kept.map(({ id, body }) => element(id, body))));
}

/** Builds an element with a size of eight bytes. */
function element(id: number, body: Buffer): Buffer {
  const digits = id.toString(16);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(body.length));
  size[0] = 1;
  return Buffer.concat([Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex'), size, body]);
}

interface IndexedSegment {
  /** Everything before the media, without the kept elements. */
  readonly head: Buffer;
  readonly kept: readonly ByteRange[];
  readonly cues: readonly Cue[];
  /** Time of its first frame in seconds. */
  readonly start: number;
  readonly scale: number;
  /** Offset of its first cluster, and after its last one. */
  readonly cluster: number;
  readonly mediaEnd: number;
}

function matroskaIndex(
  { head, kept, cues, start, scale, cluster, mediaEnd }: IndexedSegment,
  declaredEnd: number,
  tracks: readonly TrackSummary[],
): MediaIndex {
  const keptRanges = kept.map(({ from, end }) => ({ from, end }));
  const planExcerpt = function* (clip: Clip): Steps<Excerpt> {
    const first = cues.findLast(({ time }) => time <= start + clip.start);
    const from = first?.position ?? cluster;
    yield undefined;
    const stop = clip.end === undefined ? Number.POSITIVE_INFINITY : start + clip.end + endMargin;
    const next = cues.find(({ time, position }) => time >= stop && position > from);
    const end = next?.time ?? (declaredEnd > start ? declaredEnd : undefined);
    return {
      parts: [head, ...keptRanges, { from, end: next?.position ?? mediaEnd }],
      start: first?.time ?? start,
      ...(end === undefined ? {} : { end }),
      measureStart: (bytes) => readClusterStart(bytes, scale) ?? declineExcerpt('its index does not match its media'),
    };
  };
  return {
    start,
    ...(declaredEnd > start ? { duration: declaredEnd - start } : {}),
    hasVideo: tracks.some(({ isVideo }) => isVideo),
    planExcerpt,
  };
}
