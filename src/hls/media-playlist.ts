import type { Steps } from '../waiting/steps.ts';
import { parseAttributes } from './attribute-list.ts';
import { parseDecimalInteger, parseDecimalNumber } from './attribute-values.ts';
import { type PlaylistKey, parseKey } from './encryption-keys.ts';
import type { PlaylistBounds } from './playlist-bounds.ts';
import { playlistFault } from './playlist-fault.ts';
import type { PlaylistLine } from './playlist-lines.ts';
import type { UriResolver } from './uri-resolver.ts';

/** A byte range of a resource. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** The initialization section of fragmented segments (`EXT-X-MAP`). All its segments share one object. */
export interface InitializationSection {
  readonly url: string;
  /** Absent for the whole resource. */
  readonly byteRange?: ByteRange;
  /** The keys that encrypt it; empty if it is not encrypted. */
  readonly keys: readonly PlaylistKey[];
}

/** A media segment. */
export interface Segment {
  readonly url: string;
  /** In seconds. */
  readonly duration: number;
  /** Media sequence number, from which an initialization vector is derived. */
  readonly sequence: number;
  /** Absent for the whole resource. */
  readonly byteRange?: ByteRange;
  /** The keys that encrypt it, one per key format; empty if it is not encrypted. */
  readonly keys: readonly PlaylistKey[];
  readonly map?: InitializationSection;
  /**
   * Number of discontinuities between the first segment and this one. Clock, codec and tracks may change at each
   * discontinuity. Playlists of one presentation have the same discontinuities (RFC 8216 §6.2.4).
   * EXT-X-DISCONTINUITY-SEQUENCE counts only those before the first segment.
   */
  readonly discontinuityIndex: number;
  /** Whether the source reports that the segment is missing and must not be fetched. */
  readonly gap: boolean;
}

/** A media playlist. */
export interface MediaPlaylist {
  readonly kind: 'media';
  readonly segments: readonly Segment[];
  /** Whether no more segments will be added; false for a live stream. */
  readonly endList: boolean;
  /** Whether its last segment has tags, but no URI, or it ends inside a tag, as in a truncated response. */
  readonly endsBeforeUri: boolean;
  /** Whether its last line has no line break, so that it may be truncated. */
  readonly endsInLine: boolean;
  readonly playlistType?: 'VOD' | 'EVENT';
  /** Maximum segment duration in seconds. */
  readonly targetDuration?: number;
  /** The media sequence number of the first segment. */
  readonly mediaSequence: number;
  /** Whether each segment is a single frame, for scrubbing. */
  readonly iFramesOnly: boolean;
  /** Number of characters of its text and of all its resolved URLs together. */
  readonly characters: number;
  /** Sum of all segment durations in seconds. */
  readonly totalDuration: number;
}

/** Tags that occur only in media playlists. */
export const mediaPlaylistTags: ReadonlySet<string> = new Set([
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

/** Maximum number of keys in force at the same time, one per key format. Only a handful of DRM systems exist. */
const MAX_KEY_FORMATS = 16;

/** Parser state: the properties that the preceding tags set for the next segments. */
interface ParserState {
  readonly resolve: UriResolver;
  readonly bounds: PlaylistBounds;
  readonly segments: Segment[];
  keys: readonly PlaylistKey[];
  /** Every key so far, by the text of its tag, so that segments share repeated keys. */
  readonly parsedKeys: Map<string, PlaylistKey>;
  map: InitializationSection | undefined;
  /** Text of the tag that set {@link map}. */
  mapText: string | undefined;
  readonly changes: { keys: number; maps: number; discontinuities: number };
  /** Properties of the next segment only. */
  nextSegment: { duration?: number; byteRange?: string; discontinuities?: number; gap?: boolean };
  discontinuityIndex: number;
  mediaSequence: number;
  targetDuration: number | undefined;
  playlistType: 'VOD' | 'EVENT' | undefined;
  endList: boolean;
  iFramesOnly: boolean;
}

/**
 * Parses a media playlist.
 *
 * @throws MillraceError `invalid_response_data` for anything that would change the meaning of a segment: a URI without
 * EXTINF, an invalid range, key or sequence number, or a delta update, which needs the previous playlist. Also thrown
 * if the playlist exceeds the bounds.
 */
export function* parseMediaPlaylist(
  lines: Iterable<PlaylistLine>,
  resolve: UriResolver,
  bounds: PlaylistBounds,
): Steps<Omit<MediaPlaylist, 'endsInLine' | 'characters'>> {
  const state: ParserState = {
    resolve,
    bounds,
    segments: [],
    keys: [],
    parsedKeys: new Map(),
    map: undefined,
    mapText: undefined,
    changes: { keys: 0, maps: 0, discontinuities: 0 },
    nextSegment: {},
    discontinuityIndex: 0,
    mediaSequence: 0,
    targetDuration: undefined,
    playlistType: undefined,
    endList: false,
    iFramesOnly: false,
  };
  for (const line of lines) {
    if (line.kind === 'uri') readSegment(state, line.uri, line.number);
    else if (line.kind === 'tag') readTag(state, line.name, line.value, line.number);
    yield undefined;
  }
  const { segments, endList, playlistType, targetDuration, mediaSequence, iFramesOnly } = state;
  return {
    kind: 'media',
    segments,
    endList,
    endsBeforeUri: state.nextSegment.duration !== undefined,
    ...(playlistType === undefined ? {} : { playlistType }),
    ...(targetDuration === undefined ? {} : { targetDuration }),
    mediaSequence,
    iFramesOnly,
    totalDuration: segments.reduce((sum, { duration }) => sum + duration, 0),
  };
}

function readTag(state: ParserState, name: string, value: string, line: number): void {
  switch (name) {
    case 'EXTINF':
      state.nextSegment.duration = parseSegmentDuration(value, line);
      break;
    case 'EXT-X-BYTERANGE':
      state.nextSegment.byteRange = value;
      break;
    case 'EXT-X-DISCONTINUITY':
      state.nextSegment.discontinuities = (state.nextSegment.discontinuities ?? 0) + 1;
      break;
    case 'EXT-X-GAP':
      state.nextSegment.gap = true;
      break;
    case 'EXT-X-KEY':
      readKey(state, value, line);
      break;
    case 'EXT-X-MAP':
      readMap(state, value, line);
      break;
    case 'EXT-X-MEDIA-SEQUENCE':
      state.mediaSequence = parseMediaSequence(state, value, line);
      break;
    case 'EXT-X-TARGETDURATION':
      state.targetDuration = parseDecimalNumber(value);
      break;
    case 'EXT-X-PLAYLIST-TYPE':
      if (value === 'VOD' || value === 'EVENT') state.playlistType = value;
      break;
    case 'EXT-X-ENDLIST':
      state.endList = true;
      break;
    case 'EXT-X-I-FRAMES-ONLY':
      state.iFramesOnly = true;
      break;
    case 'EXT-X-SKIP':
      throw playlistFault(line, 'skips segments: a delta update cannot be read without the previous playlist');
  }
}

function readKey(state: ParserState, value: string, line: number): void {
  const { keys, parsedKeys, changes, bounds, resolve } = state;
  const key = parsedKeys.get(value) ?? parseKey(value, line, resolve);
  if (key === undefined ? keys.length === 0 : keys.includes(key)) return;
  changes.keys += 1;
  if (changes.keys > bounds.keyChanges) throw tooManyChanges(line, bounds.keyChanges, 'keys (EXT-X-KEY)');
  if (key !== undefined) parsedKeys.set(value, key);
  state.keys = replaceKey(keys, key, line);
}

function readMap(state: ParserState, value: string, line: number): void {
  const { map, mapText, keys, changes, bounds } = state;
  if (value === mapText && map?.keys === keys) return;
  changes.maps += 1;
  if (changes.maps > bounds.mapChanges) {
    throw tooManyChanges(line, bounds.mapChanges, 'initialization section (EXT-X-MAP)');
  }
  state.map = parseMap(state, value, line);
  state.mapText = value;
}

function tooManyChanges(line: number, max: number, what: string): Error {
  return playlistFault(
    line,
    `exceeds the limit of ${max} changes of its ${what}; split the playlist into shorter ones`,
  );
}

/**
 * Counts the discontinuities before a segment, except before the first one. Several before one segment count as one
 * change.
 */
function countDiscontinuities(state: ParserState, line: number): void {
  const { nextSegment, segments, changes, bounds } = state;
  if (nextSegment.discontinuities === undefined || segments.length === 0) return;
  state.discontinuityIndex += nextSegment.discontinuities;
  changes.discontinuities += 1;
  if (changes.discontinuities <= bounds.discontinuities) return;
  const max = `${bounds.discontinuities} discontinuities (EXT-X-DISCONTINUITY)`;
  throw playlistFault(line, `exceeds the limit of ${max}; split the playlist into shorter ones`);
}

function readSegment(state: ParserState, uri: string, line: number): void {
  const { segments, bounds, map, keys, nextSegment, mediaSequence } = state;
  if (nextSegment.duration === undefined) throw playlistFault(line, 'is a URI without an EXTINF tag before it');
  if (segments.length >= bounds.segments) throw playlistFault(line, `exceeds the limit of ${bounds.segments} segments`);
  countDiscontinuities(state, line);
  const url = state.resolve(uri, line);
  const byteRange =
    nextSegment.byteRange === undefined
      ? undefined
      : parseRange(nextSegment.byteRange, line, previousRangeEnd(state, url));
  segments.push({
    url,
    duration: nextSegment.duration,
    sequence: mediaSequence + segments.length,
    ...(byteRange === undefined ? {} : { byteRange }),
    keys,
    ...(map === undefined ? {} : { map }),
    discontinuityIndex: state.discontinuityIndex,
    gap: nextSegment.gap ?? false,
  });
  state.nextSegment = {};
}

function parseSegmentDuration(value: string, line: number): number {
  const comma = value.indexOf(',');
  const duration = parseDecimalNumber((comma < 0 ? value : value.slice(0, comma)).trim());
  if (duration === undefined) throw playlistFault(line, 'has no duration in seconds');
  return duration;
}

function parseMediaSequence(state: ParserState, value: string, line: number): number {
  const sequence = parseDecimalInteger(value);
  if (sequence === undefined) throw playlistFault(line, 'has no sequence number below 2^53');
  if (state.segments.length > 0) throw playlistFault(line, 'sets the media sequence number after the first segment');
  return sequence;
}

/** Returns the end of the previous segment's range. A range without an offset starts there (RFC 8216 §4.3.2.2). */
function previousRangeEnd({ segments }: ParserState, url: string): number | undefined {
  const previous = segments.at(-1);
  if (previous?.byteRange === undefined || previous.url !== url) return undefined;
  return previous.byteRange.offset + previous.byteRange.length;
}

function parseRange(text: string, line: number, implicitOffset: number | undefined): ByteRange {
  const separator = text.indexOf('@');
  const length = parseDecimalInteger(separator < 0 ? text : text.slice(0, separator));
  const offset = separator < 0 ? implicitOffset : parseDecimalInteger(text.slice(separator + 1));
  if (length === undefined || length === 0) throw playlistFault(line, 'has a byte range without a length');
  if (offset === undefined) throw playlistFault(line, 'has a byte range whose offset is unknown');
  if (!Number.isSafeInteger(offset + length)) throw playlistFault(line, 'has a byte range that ends past 2^53');
  return { offset, length };
}

function parseMap({ resolve, keys }: ParserState, value: string, line: number): InitializationSection {
  const attributes = parseAttributes(value, line);
  const uri = attributes.get('URI');
  if (uri === undefined || uri === '') throw playlistFault(line, 'has an EXT-X-MAP tag without URI');
  const range = attributes.get('BYTERANGE');
  return {
    url: resolve(uri, line),
    ...(range === undefined ? {} : { byteRange: parseRange(range, line, 0) }),
    keys,
  };
}

/**
 * Returns the keys in force after an `EXT-X-KEY`. The new key replaces the key of the same format; `METHOD=NONE`
 * removes all keys.
 */
function replaceKey(keys: readonly PlaylistKey[], key: PlaylistKey | undefined, line: number): readonly PlaylistKey[] {
  if (key === undefined) return [];
  const others = keys.filter(({ keyFormat }) => keyFormat !== key.keyFormat);
  if (others.length >= MAX_KEY_FORMATS) throw playlistFault(line, `uses more than ${MAX_KEY_FORMATS} key formats`);
  return [...others, key];
}
