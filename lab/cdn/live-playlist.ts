import { segmentSeconds } from '../media/recipes.ts';
import type { Title } from '../media/titles.ts';
import { mediaPlaylist, segmentLengths, segmentName } from './playlist.ts';

/** Segments that a live playlist shows at a time. */
const windowSegments = 6;

/**
 * What the playlist of a live stream shows at a moment (`now`, in milliseconds). The stream began at the epoch and
 * plays its title over and over, so all of it follows from the clock. `link` makes a segment's link of its number.
 */
export function livePlaylist({ seconds }: Title, link: (number: number) => string, now: number): string {
  const lengths = segmentLengths(seconds, segmentSeconds);
  const first = Math.floor(now / 1000 / segmentSeconds) - windowSegments;
  const segments = Array.from({ length: windowSegments }, (_, index) => {
    const place = (first + index) % lengths.length;
    return { url: link(first + index), seconds: lengths[place] ?? segmentSeconds, discontinuity: place === 0 };
  });
  return mediaPlaylist(segments, 'open', first);
}

/** Name of the title's segment that a live stream plays as its segment of a number. */
export function liveSegmentName({ seconds }: Title, number: number): string {
  return segmentName((number % segmentLengths(seconds, segmentSeconds).length) + 1);
}
