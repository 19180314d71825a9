import { segmentSeconds } from '../media/recipes.ts';
import type { Title } from '../media/titles.ts';
import { mediaPlaylist, segmentLengths, segmentName } from './playlist.ts';

/** Number of segments in a live playlist. */
const windowSegments = 6;

/**
 * Returns the playlist of a live stream at a time (`now`, in milliseconds). The stream began at the epoch and repeats
 * its title, so everything follows from the clock. `link` makes a segment's link from its number.
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

/** Returns the name of the title's segment that a live stream plays as its segment `number`. */
export function liveSegmentName({ seconds }: Title, number: number): string {
  return segmentName((number % segmentLengths(seconds, segmentSeconds).length) + 1);
}
