import { isFault } from './faults.ts';

/** MIME type of HLS playlists. */
export const playlistType = 'application/vnd.apple.mpegurl';

/** Variant of a master playlist. */
export interface Variant {
  readonly url: string;
  /** Attributes of its EXT-X-STREAM-INF, in order; values are written unchanged, including quotes. */
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** Segment of a media playlist. */
export interface Segment {
  readonly url: string;
  readonly seconds: number;
  /** Whether its timestamps do not continue those of the preceding segment. */
  readonly discontinuity?: boolean;
  /** Byte range of the file at the address; a range without an offset follows the range of the preceding segment. */
  readonly bytes?: { readonly length: number; readonly offset?: number };
  /** Initialization segment of fragmented MP4. */
  readonly init?: { readonly url: string; readonly bytes?: { readonly length: number; readonly offset: number } };
  /** AES-128 key; the initialization vector is 32 hexadecimal digits. */
  readonly key?: { readonly url: string; readonly iv?: string };
}

/** End state of a media playlist: complete from the start, still growing, or a live stream that has ended. */
export type PlaylistState = 'whole' | 'open' | 'ended';

/** Writes a master playlist. `media` contains the attributes of each EXT-X-MEDIA, in order. */
export function masterPlaylist(variants: readonly Variant[], media: readonly Variant['attributes'][] = []): string {
  const lines = variants.flatMap(({ url, attributes }) => [`#EXT-X-STREAM-INF:${attributeList(attributes)}`, url]);
  const groups = media.map((attributes) => `#EXT-X-MEDIA:${attributeList(attributes)}`);
  return `${['#EXTM3U', ...groups, ...lines].join('\n')}\n`;
}

/** Writes a media playlist; `first` is the number of its first segment. */
export function mediaPlaylist(segments: readonly Segment[], state: PlaylistState = 'whole', first = 1): string {
  const longest = Math.ceil(Math.max(...segments.map(({ seconds }) => seconds)));
  return `${[
    '#EXTM3U',
    `#EXT-X-VERSION:${version(segments)}`,
    `#EXT-X-TARGETDURATION:${longest}`,
    `#EXT-X-MEDIA-SEQUENCE:${first}`,
    ...(state === 'whole' ? ['#EXT-X-PLAYLIST-TYPE:VOD'] : []),
    ...segments.flatMap((segment, index) => segmentLines(segment, segments[index - 1])),
    ...(state === 'open' ? [] : ['#EXT-X-ENDLIST']),
  ].join('\n')}\n`;
}

function segmentLines(segment: Segment, before: Segment | undefined): string[] {
  const { url, seconds, discontinuity, bytes } = segment;
  const [key, init] = [keyLine(segment), initLine(segment)];
  return [
    ...(discontinuity ? ['#EXT-X-DISCONTINUITY'] : []),
    // These two tags apply until the next tag of their kind.
    ...(key === undefined || (before !== undefined && key === keyLine(before)) ? [] : [key]),
    ...(init === undefined || (before !== undefined && init === initLine(before)) ? [] : [init]),
    `#EXTINF:${seconds.toFixed(3)},`,
    ...(bytes === undefined ? [] : [`#EXT-X-BYTERANGE:${byteRange(bytes)}`]),
    url,
  ];
}

function keyLine({ key }: Segment): string | undefined {
  if (key === undefined) return undefined;
  const iv = key.iv === undefined ? {} : { IV: `0x${key.iv}` };
  return `#EXT-X-KEY:${attributeList({ METHOD: 'AES-128', URI: `"${key.url}"`, ...iv })}`;
}

function initLine({ init }: Segment): string | undefined {
  if (init === undefined) return undefined;
  const bytes = init.bytes === undefined ? {} : { BYTERANGE: `"${byteRange(init.bytes)}"` };
  return `#EXT-X-MAP:${attributeList({ URI: `"${init.url}"`, ...bytes })}`;
}

function byteRange({ length, offset }: NonNullable<Segment['bytes']>): string {
  return offset === undefined ? `${length}` : `${length}@${offset}`;
}

function attributeList(attributes: Variant['attributes']): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
}

/** Returns the lowest protocol version that has all features that the segments use (RFC 8216 §7). */
function version(segments: readonly Segment[]): number {
  if (segments.some(({ init }) => init !== undefined)) return 6;
  return segments.some(({ bytes }) => bytes !== undefined) ? 4 : 3;
}

/** Returns the seconds of each segment of a title: all equal except for the last one. */
export function segmentLengths(seconds: number, segmentSeconds: number): number[] {
  const count = Math.ceil(seconds / segmentSeconds);
  return Array.from({ length: count }, (_, index) => Math.min(segmentSeconds, seconds - index * segmentSeconds));
}

/** Returns the name of a segment's file, counted from 1. */
export function segmentName(number: number, extension = 'ts'): string {
  return `seg-${`${number}`.padStart(5, '0')}.${extension}`;
}

/** Options in a media playlist's query besides faults. */
export const playlistOptions = {
  live: '1: the playlist has no end tag, and lists other segments at each request',
  liveEnd: 'the playlist has no end tag until the nth request of the link',
  longer: 'seconds by which each EXTINF exceeds the duration of its segment',
  rotate: 'segments that one key encrypts; all of them if absent',
} as const;

/**
 * Returns the query of a master playlist's links: faults with the prefix `variant.` become faults of the media
 * playlists. The options of the media playlists, the faults of their links and the token are passed on.
 */
export function variantQuery(query: URLSearchParams): string {
  const passedOn = [...query].filter(
    ([name]) => name === 'token' || Object.hasOwn(playlistOptions, name) || /^(?:segment|key|init)\./.test(name),
  );
  return writeQuery([...passedOn, ...faultsBehind('variant.', query)]);
}

/**
 * Returns the query of a media playlist's link to a key or an initialization segment, with the faults after `key.` or
 * `init.`.
 */
export function itemQuery(query: URLSearchParams, kind: 'key' | 'init'): string {
  return writeQuery([...tokenOf(query), ...faultsBehind(`${kind}.`, query)]);
}

/**
 * Returns the query of a media playlist's link to segment `number`; `segment.only` names the only segment with faults.
 */
export function segmentQuery(query: URLSearchParams, number: number): string {
  const only = query.get('segment.only');
  const hit = only === null || Number(only) === number;
  return writeQuery([...tokenOf(query), ...(hit ? faultsBehind('segment.', query) : [])]);
}

function tokenOf(query: URLSearchParams): [string, string][] {
  return [...query].filter(([name]) => name === 'token');
}

function faultsBehind(prefix: string, query: URLSearchParams): [string, string][] {
  return [...query]
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]): [string, string] => [name.slice(prefix.length), value])
    .filter(([name]) => isFault(name));
}

function writeQuery(parameters: [string, string][]): string {
  return parameters.length === 0 ? '' : `?${new URLSearchParams(parameters)}`;
}
