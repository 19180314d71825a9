import { isFault } from './faults.ts';

/** MIME type of HLS playlists. */
export const playlistType = 'application/vnd.apple.mpegurl';

/** A rung of a master playlist. */
export interface Rung {
  readonly url: string;
  /** Attributes of its EXT-X-STREAM-INF, in order; values as they stand there, quotes included. */
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** A segment of a media playlist. */
export interface Segment {
  readonly url: string;
  readonly seconds: number;
  /** Whether its clock does not continue that of the segment before. */
  readonly discontinuity?: boolean;
}

/** Writes a master playlist. */
export function masterPlaylist(rungs: readonly Rung[]): string {
  const lines = rungs.flatMap(({ url, attributes }) => {
    const list = Object.entries(attributes).map(([name, value]) => `${name}=${value}`);
    return [`#EXT-X-STREAM-INF:${list.join(',')}`, url];
  });
  return `${['#EXTM3U', ...lines].join('\n')}\n`;
}

/** Writes a media playlist; `live` is the number of its first segment, and leaves the end open. */
export function mediaPlaylist(segments: readonly Segment[], live?: number): string {
  const longest = Math.ceil(Math.max(...segments.map(({ seconds }) => seconds)));
  return `${[
    '#EXTM3U',
    '#EXT-X-VERSION:3',
    `#EXT-X-TARGETDURATION:${longest}`,
    `#EXT-X-MEDIA-SEQUENCE:${live ?? 1}`,
    ...(live === undefined ? ['#EXT-X-PLAYLIST-TYPE:VOD'] : []),
    ...segments.flatMap(({ url, seconds, discontinuity }) => [
      ...(discontinuity ? ['#EXT-X-DISCONTINUITY'] : []),
      `#EXTINF:${seconds.toFixed(3)},`,
      url,
    ]),
    ...(live === undefined ? ['#EXT-X-ENDLIST'] : []),
  ].join('\n')}\n`;
}

/** Seconds of each segment of a title: all the same but for the last one. */
export function segmentLengths(seconds: number, segmentSeconds: number): number[] {
  const count = Math.ceil(seconds / segmentSeconds);
  return Array.from({ length: count }, (_, index) => Math.min(segmentSeconds, seconds - index * segmentSeconds));
}

/** Name of a segment's file, counted from 1. */
export function segmentName(number: number): string {
  return `seg-${`${number}`.padStart(5, '0')}.ts`;
}

/**
 * The query of a master playlist's links: `variant.` faults become faults of the media playlists, and those meant for
 * the segments go on. The token stays.
 */
export function variantQuery(query: URLSearchParams): string {
  const passed = [...query].filter(([name]) => name === 'token' || name === 'live' || name.startsWith('segment.'));
  return written([...passed, ...faultsBehind('variant.', query)]);
}

/** The query of a media playlist's link to segment `number`; `segment.only` names the one segment that has faults. */
export function segmentQuery(query: URLSearchParams, number: number): string {
  const only = query.get('segment.only');
  const hit = only === null || Number(only) === number;
  const passed = [...query].filter(([name]) => name === 'token');
  return written([...passed, ...(hit ? faultsBehind('segment.', query) : [])]);
}

function faultsBehind(prefix: string, query: URLSearchParams): [string, string][] {
  return [...query]
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]): [string, string] => [name.slice(prefix.length), value])
    .filter(([name]) => isFault(name));
}

function written(parameters: [string, string][]): string {
  return parameters.length === 0 ? '' : `?${new URLSearchParams(parameters)}`;
}
