import type { MediaCache } from '../media/cache.ts';
import { containers } from '../media/recipes.ts';
import { nextTitle, type Title, type Track } from '../media/titles.ts';
import { explicitVector } from './encryption.ts';
import { FaultError } from './faults.ts';
import type { PlaylistKind } from './hls-catalogue.ts';
import { type TrackFiles, trackFiles, turnedInitName } from './hls-files.ts';
import { itemQuery, type Segment, segmentLengths, segmentName, segmentQuery } from './playlist.ts';

/** Title and track of a requested playlist, and the parameters of its link. */
interface PlaylistRequest {
  readonly title: Title;
  readonly track: Track;
  readonly query: URLSearchParams;
}

/**
 * Returns the segments of a playlist, with links relative to the track's folder.
 *
 * @throws FaultError when the query is invalid.
 */
export async function trackSegments(cache: MediaCache, kind: PlaylistKind, ask: PlaylistRequest): Promise<Segment[]> {
  const plain = plainSegments(kind, ask, '', 0);
  if (kind.extraTitles !== undefined) return [...plain, ...joinedSegments(kind, ask, kind.extraTitles, plain.length)];
  if (kind.ranges === undefined) return plain;
  return rangeSegments(kind, ask, plain, await trackFiles(cache, ask.title, ask.track, kind.container));
}

/** Returns the segments of the additional titles; `before` is the number of segments in front of them. */
function joinedSegments(kind: PlaylistKind, ask: PlaylistRequest, titles: number, before: number): Segment[] {
  const segments: Segment[] = [];
  const track = ask.track.video === undefined ? ask.track.name : (kind.joinedSize ?? ask.track.name);
  for (let title = nextTitle(ask.title), at = 0; at < titles; title = nextTitle(title), at += 1) {
    const folder = `../../${title.name}/${track}/`;
    const own = plainSegments(kind, { ...ask, title }, folder, before + segments.length);
    segments.push(...own.map((segment, index) => ({ ...segment, discontinuity: index === 0 })));
  }
  return segments;
}

/** Returns segments that each have their own file; `before` is the number of segments in front of them. */
function plainSegments(
  { container, iv, changesMapUrl, joinedTurned, isBare }: PlaylistKind,
  { title, track, query }: PlaylistRequest,
  folder: string,
  before: number,
): Segment[] {
  const { extension, seconds: segmentSeconds, ...rest } = containers[container];
  const place = `${folder}${container.endsWith('short') ? 'short/' : ''}`;
  const initName = 'init' in rest ? (joinedTurned && before > 0 ? turnedInitName : rest.init) : undefined;
  const init = initName === undefined ? {} : { init: { url: `${place}${initName}${itemQuery(query, 'init')}` } };
  const again =
    'init' in rest && changesMapUrl && track.video ? { init: { url: `${folder}${rest.init}?again` } } : init;
  const rotation = keyRotation(query);
  return segmentLengths(title.seconds, segmentSeconds).map((seconds, index) => {
    const name = `${segmentName(index + 1, extension)}${segmentQuery(query, before + index + 1)}`;
    if (iv === undefined) {
      const url = `${place}${isBare && index > 0 ? 'bare/' : ''}${name}`;
      return { url, seconds, ...(index === 0 ? init : again) };
    }
    const keyNumber = Math.floor(index / rotation) + 1;
    const vector = iv === 'explicit' ? { iv: explicitVector(title, keyNumber).toString('hex') } : {};
    return {
      url: `${iv === 'explicit' ? 'aes' : 'aes-derived'}-${keyNumber}/${name}`,
      seconds,
      key: { url: `key-${keyNumber}.bin${itemQuery(query, 'key')}`, ...vector },
    };
  });
}

/** Returns the same segments as ranges of the file that contains them all. */
function rangeSegments(
  { container, ranges }: PlaylistKind,
  { query }: PlaylistRequest,
  plain: readonly Segment[],
  files: TrackFiles,
): Segment[] {
  const { whole } = containers[container];
  const initBytes = files.init?.size ?? 0;
  const init = { url: `${whole}${itemQuery(query, 'init')}`, bytes: { length: initBytes, offset: 0 } };
  let offset = initBytes;
  let before = '';
  return plain.map(({ seconds }, index) => {
    const url = `${whole}${segmentQuery(query, index + 1)}`;
    const length = files.segments[index]?.size ?? 0;
    // The offset may be omitted only if the preceding segment has the same address (RFC 8216 §4.3.2.2).
    const bytes = ranges === 'implicit' && url === before ? { length } : { length, offset };
    offset += length;
    before = url;
    return { url, seconds, bytes, ...(files.init === undefined ? {} : { init }) };
  });
}

function keyRotation(query: URLSearchParams): number {
  const text = query.get('rotate');
  if (text === null) return Number.POSITIVE_INFINITY;
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new FaultError(`rotate=${text} must be a whole number from 1 to 999.`);
  return Number(text);
}
