import type { MediaPlaylist, Segment } from '../../../hls/media-playlist.ts';
import { nearestTurn } from '../../engine/timing/clock-turns.ts';
import { segmentTolerance } from '../excerpt/clip-playlists.ts';
import type { SegmentReader } from './read-segment.ts';
import { readSegmentTime } from './segment-time.ts';

/** Number of bytes that contain the first timestamp of a segment, after its initialization section. */
const maxTimeBytes = 256 * 1024;

/** A playlist, and what reads its segments. */
interface ReadablePlaylist {
  readonly media: MediaPlaylist;
  readonly reader: SegmentReader;
}

/**
 * Returns by how many seconds each playlist of an input begins after the earliest one. The playlists of a master playlist
 * share a clock (RFC 8216 §6.2.4), but need not begin together. Those with discontinuities begin together again at each.
 *
 * @param seconds - where in the playlists a segment is read: where the clip begins.
 * @throws MillraceError if a segment cannot be read.
 */
export async function playlistDelays(playlists: readonly ReadablePlaylist[], seconds: number): Promise<number[]> {
  const together = playlists.map(() => 0);
  const isOneSection = playlists.every(({ media: { segments } }) => {
    return segments.every(({ discontinuityIndex }) => discontinuityIndex === segments[0]?.discontinuityIndex);
  });
  if (playlists.length < 2 || !isOneSection) return together;
  const starts = await Promise.all(playlists.map((playlist) => readStart(playlist, seconds)));
  const [first] = starts;
  const times = starts.flatMap((start) => {
    return first === undefined || start?.clock !== first.clock
      ? []
      : nearestTurn(first.clock, start.seconds, first.seconds);
  });
  const earliest = Math.min(...times);
  const longest = Math.max(...playlists.map(({ media }) => media.totalDuration));
  // Clocks that are further apart match only by mistake.
  if (times.length < playlists.length || Math.max(...times) - earliest >= longest) return together;
  return times.map((time) => (time - earliest < segmentTolerance ? 0 : time - earliest));
}

/** Returns when a playlist begins on its clock, by a segment of it. */
async function readStart({ media: { segments }, reader }: ReadablePlaylist, seconds: number) {
  let time = 0;
  let found: { readonly segment: Segment; readonly start: number } | undefined;
  for (const segment of segments) {
    if (!segment.gap && (found === undefined || time <= seconds)) found = { segment, start: time };
    time += segment.duration;
  }
  const { bytes } = found === undefined ? { bytes: Buffer.alloc(0) } : await reader.readHead(found.segment);
  const begin = readSegmentTime(bytes.subarray(0, maxTimeBytes));
  return begin && { ...begin, seconds: begin.seconds - (found?.start ?? 0) };
}
