import { parseAttributes } from './attributes.ts';
import type { PlaylistBounds } from './bounds.ts';
import { playlistFault } from './fault.ts';
import { type PlaylistKey, parseKey } from './keys.ts';
import type { PlaylistLine } from './lines.ts';
import { decimalInteger, decimalNumber } from './numbers.ts';
import type { Resolver } from './resolve.ts';

/** A part of a resource, in bytes. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** What a player reads before a fragmented segment (`EXT-X-MAP`). The same object stands on every segment it serves. */
export interface InitialisationSection {
  readonly url: string;
  /** Absent for the whole resource. */
  readonly byteRange?: ByteRange;
  /** The keys it is encrypted with; empty when it is clear. */
  readonly keys: readonly PlaylistKey[];
}

/** One piece of media. */
export interface Segment {
  readonly url: string;
  /** Seconds. */
  readonly duration: number;
  /** Its media sequence number, from which an initialisation vector is derived. */
  readonly sequence: number;
  /** Absent for the whole resource. */
  readonly byteRange?: ByteRange;
  /** The keys it is encrypted with, one a key format; empty when it is clear. */
  readonly keys: readonly PlaylistKey[];
  readonly map?: InitialisationSection;
  /**
   * Discontinuities between the first segment and this one. Clock, codec and tracks may change at each. Playlists of one
   * presentation have the same ones (RFC 8216 §6.2.4); EXT-X-DISCONTINUITY-SEQUENCE counts only those before the first
   * segment.
   */
  readonly section: number;
  /** Whether the source says that it is missing and must not be fetched. */
  readonly gap: boolean;
}

/** A playlist of segments. */
export interface MediaPlaylist {
  readonly kind: 'media';
  readonly segments: readonly Segment[];
  /** Whether no segment will be added: false for a live stream. */
  readonly endList: boolean;
  readonly playlistType?: 'VOD' | 'EVENT';
  /** Seconds, the longest that a segment may be. */
  readonly targetDuration?: number;
  /** The media sequence number of the first segment. */
  readonly mediaSequence: number;
  /** Whether each segment is a single picture, for scrubbing. */
  readonly iFramesOnly: boolean;
  /** Seconds, the sum of all segments. */
  readonly totalDuration: number;
}

/** Tags that only a media playlist has. */
export const mediaTags: ReadonlySet<string> = new Set([
  'EXTINF',
  'EXT-X-BYTERANGE',
  'EXT-X-DISCONTINUITY',
  'EXT-X-DISCONTINUITY-SEQUENCE',
  'EXT-X-ENDLIST',
  'EXT-X-GAP',
  'EXT-X-I-FRAMES-ONLY',
  'EXT-X-KEY',
  'EXT-X-MAP',
  'EXT-X-MEDIA-SEQUENCE',
  'EXT-X-PART-INF',
  'EXT-X-PLAYLIST-TYPE',
  'EXT-X-SKIP',
  'EXT-X-TARGETDURATION',
]);

/** Keys that may stand side by side, one a key format; a handful of DRM systems exist. */
const MAX_KEY_FORMATS = 16;

/** What the tags so far say of the segments to come. */
interface Reading {
  readonly resolve: Resolver;
  readonly bounds: PlaylistBounds;
  readonly segments: Segment[];
  keys: readonly PlaylistKey[];
  /** Every key so far by its tag's text, so that segments share one that comes back. */
  readonly knownKeys: Map<string, PlaylistKey>;
  map: InitialisationSection | undefined;
  /** The text of the tag that {@link map} was read from. */
  mapText: string | undefined;
  readonly changes: { keys: number; maps: number; discontinuities: number };
  /** Of the next segment alone. */
  next: { duration?: number; byteRange?: string; discontinuities?: number; gap?: boolean };
  section: number;
  mediaSequence: number;
  targetDuration: number | undefined;
  playlistType: 'VOD' | 'EVENT' | undefined;
  endList: boolean;
  iFramesOnly: boolean;
}

/**
 * Reads a media playlist.
 *
 * @throws MillraceError `invalid_response_data` for what would make a segment mean something else than its author
 *   meant (a URI without EXTINF, a broken range, key or sequence number, a playlist update that needs its forerunner),
 *   and over the bounds.
 */
export function parseMedia(lines: Iterable<PlaylistLine>, resolve: Resolver, bounds: PlaylistBounds): MediaPlaylist {
  const reading: Reading = {
    resolve,
    bounds,
    segments: [],
    keys: [],
    knownKeys: new Map(),
    map: undefined,
    mapText: undefined,
    changes: { keys: 0, maps: 0, discontinuities: 0 },
    next: {},
    section: 0,
    mediaSequence: 0,
    targetDuration: undefined,
    playlistType: undefined,
    endList: false,
    iFramesOnly: false,
  };
  for (const line of lines) {
    if (line.kind === 'uri') readSegment(reading, line.uri, line.number);
    else readTag(reading, line.name, line.value, line.number);
  }
  const { segments, endList, playlistType, targetDuration, mediaSequence, iFramesOnly } = reading;
  return {
    kind: 'media',
    segments,
    endList,
    ...(playlistType === undefined ? {} : { playlistType }),
    ...(targetDuration === undefined ? {} : { targetDuration }),
    mediaSequence,
    iFramesOnly,
    totalDuration: segments.reduce((sum, { duration }) => sum + duration, 0),
  };
}

function readTag(reading: Reading, name: string, value: string, line: number): void {
  switch (name) {
    case 'EXTINF':
      reading.next.duration = segmentDuration(value, line);
      break;
    case 'EXT-X-BYTERANGE':
      reading.next.byteRange = value;
      break;
    case 'EXT-X-DISCONTINUITY':
      reading.next.discontinuities = (reading.next.discontinuities ?? 0) + 1;
      break;
    case 'EXT-X-GAP':
      reading.next.gap = true;
      break;
    case 'EXT-X-KEY':
      readKey(reading, value, line);
      break;
    case 'EXT-X-MAP':
      readMap(reading, value, line);
      break;
    case 'EXT-X-MEDIA-SEQUENCE':
      reading.mediaSequence = mediaSequence(reading, value, line);
      break;
    case 'EXT-X-TARGETDURATION':
      reading.targetDuration = decimalNumber(value);
      break;
    case 'EXT-X-PLAYLIST-TYPE':
      if (value === 'VOD' || value === 'EVENT') reading.playlistType = value;
      break;
    case 'EXT-X-ENDLIST':
      reading.endList = true;
      break;
    case 'EXT-X-I-FRAMES-ONLY':
      reading.iFramesOnly = true;
      break;
    case 'EXT-X-SKIP':
      throw playlistFault(line, 'skips segments: an update of a playlist cannot be read on its own');
  }
}

function readKey(reading: Reading, value: string, line: number): void {
  const { keys, knownKeys, changes, bounds, resolve } = reading;
  const key = knownKeys.get(value) ?? parseKey(value, line, resolve);
  if (key === undefined ? keys.length === 0 : keys.includes(key)) return;
  changes.keys += 1;
  if (changes.keys > bounds.keyChanges) throw tooManyChanges(line, bounds.keyChanges, 'keys (EXT-X-KEY)');
  if (key !== undefined) knownKeys.set(value, key);
  reading.keys = withKey(keys, key, line);
}

function readMap(reading: Reading, value: string, line: number): void {
  const { map, mapText, keys, changes, bounds } = reading;
  if (value === mapText && map?.keys === keys) return;
  changes.maps += 1;
  if (changes.maps > bounds.mapChanges) {
    throw tooManyChanges(line, bounds.mapChanges, 'initialization section (EXT-X-MAP)');
  }
  reading.map = parseMap(reading, value, line);
  reading.mapText = value;
}

function tooManyChanges(line: number, most: number, of: string): Error {
  return playlistFault(line, `takes the playlist past ${most} changes of its ${of}; split it into shorter playlists`);
}

/** Counts the discontinuities before a segment, but none before the first one; one for each segment counts as a change. */
function countDiscontinuities(reading: Reading, line: number): void {
  const { next, segments, changes, bounds } = reading;
  if (next.discontinuities === undefined || segments.length === 0) return;
  reading.section += next.discontinuities;
  changes.discontinuities += 1;
  if (changes.discontinuities <= bounds.discontinuities) return;
  const most = `${bounds.discontinuities} discontinuities (EXT-X-DISCONTINUITY)`;
  throw playlistFault(line, `takes the playlist past ${most}; split it into shorter playlists`);
}

function readSegment(reading: Reading, uri: string, line: number): void {
  const { segments, bounds, map, keys, next, mediaSequence } = reading;
  if (next.duration === undefined) throw playlistFault(line, 'is a URI that belongs to no EXTINF');
  if (segments.length >= bounds.segments)
    throw playlistFault(line, `takes the playlist past ${bounds.segments} segments`);
  countDiscontinuities(reading, line);
  const url = reading.resolve(uri, line);
  const byteRange = next.byteRange === undefined ? undefined : parseRange(next.byteRange, line, rangeEnd(reading, url));
  segments.push({
    url,
    duration: next.duration,
    sequence: mediaSequence + segments.length,
    ...(byteRange === undefined ? {} : { byteRange }),
    keys,
    ...(map === undefined ? {} : { map }),
    section: reading.section,
    gap: next.gap ?? false,
  });
  reading.next = {};
}

function segmentDuration(value: string, line: number): number {
  const comma = value.indexOf(',');
  const duration = decimalNumber((comma < 0 ? value : value.slice(0, comma)).trim());
  if (duration === undefined) throw playlistFault(line, 'has no duration in seconds');
  return duration;
}

function mediaSequence(reading: Reading, value: string, line: number): number {
  const sequence = decimalInteger(value);
  if (sequence === undefined) throw playlistFault(line, 'has no sequence number below 2^53');
  if (reading.segments.length > 0) throw playlistFault(line, 'numbers the segments after the first of them');
  return sequence;
}

/** Where the range of the segment before ended, which is where a range without offset begins (RFC 8216 §4.3.2.2). */
function rangeEnd({ segments }: Reading, url: string): number | undefined {
  const previous = segments.at(-1);
  if (previous?.byteRange === undefined || previous.url !== url) return undefined;
  return previous.byteRange.offset + previous.byteRange.length;
}

function parseRange(text: string, line: number, implicitOffset: number | undefined): ByteRange {
  const at = text.indexOf('@');
  const length = decimalInteger(at < 0 ? text : text.slice(0, at));
  const offset = at < 0 ? implicitOffset : decimalInteger(text.slice(at + 1));
  if (length === undefined || length === 0) throw playlistFault(line, 'has a byte range without a length');
  if (offset === undefined) throw playlistFault(line, 'has a byte range whose beginning is not known');
  if (!Number.isSafeInteger(offset + length)) throw playlistFault(line, 'has a byte range that ends past 2^53');
  return { offset, length };
}

function parseMap({ resolve, keys }: Reading, value: string, line: number): InitialisationSection {
  const attributes = parseAttributes(value, line);
  const uri = attributes.get('URI');
  if (uri === undefined || uri === '') throw playlistFault(line, 'is an EXT-X-MAP without URI');
  const range = attributes.get('BYTERANGE');
  return {
    url: resolve(uri, line),
    ...(range === undefined ? {} : { byteRange: parseRange(range, line, 0) }),
    keys,
  };
}

/** The keys in force after an `EXT-X-KEY`: it replaces the one of its own format, and `METHOD=NONE` ends them all. */
function withKey(keys: readonly PlaylistKey[], key: PlaylistKey | undefined, line: number): readonly PlaylistKey[] {
  if (key === undefined) return [];
  const others = keys.filter(({ keyFormat }) => keyFormat !== key.keyFormat);
  if (others.length >= MAX_KEY_FORMATS) throw playlistFault(line, `is one key format more than ${MAX_KEY_FORMATS}`);
  return [...others, key];
}
