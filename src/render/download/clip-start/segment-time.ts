import { undefinedIfDeclined } from '../../engine/binary/fast-path-declined.ts';
import { findTimestampTag } from '../../engine/formats/packed-audio.ts';
import { mpegTicksPerSecond, type SourceClock } from '../../engine/timing/clock-turns.ts';
import { readFragmentStart } from '../excerpt/fragment-start.ts';
import { readMovieBoxes } from '../excerpt/movie-boxes.ts';
import { readSegmentBoxes } from './fragment-frames.ts';
import { firstTimestamp } from './transport-stream-video.ts';

/** When a segment begins on its clock, in seconds. */
export interface SegmentTime {
  readonly clock: SourceClock;
  readonly seconds: number;
}

/**
 * Returns when a segment of MPEG-TS, packed audio or fragmented MP4 begins, as far as its first bytes tell.
 *
 * @param bytes - the beginning of the segment after its initialization section: few, because they are read in one turn of
 * the event loop.
 */
export function readSegmentTime(bytes: Buffer): SegmentTime | undefined {
  const isTagged = bytes.toString('latin1', 0, 3) === 'ID3';
  const ticks = isTagged ? findTimestampTag(bytes)?.ticks : firstTimestamp(bytes);
  if (ticks !== undefined) return { clock: 'mpeg', seconds: ticks / mpegTicksPerSecond };
  const seconds = readFragmentTime(bytes);
  return seconds === undefined ? undefined : { clock: 'presentation', seconds };
}

function readFragmentTime(bytes: Buffer): number | undefined {
  return undefinedIfDeclined(() => {
    const boxes = readSegmentBoxes(bytes);
    const [moov, moof] = ['moov', 'moof'].map((type) => boxes.find((box) => box.type === type));
    if (moov === undefined || moof === undefined) return undefined;
    const movie = readMovieBoxes(bytes.subarray(moov.bodyFrom, moov.end));
    return readFragmentStart(bytes.subarray(moof.bodyFrom, moof.end), movie)?.time;
  });
}
