import type { ByteSource } from '../binary/byte-source.ts';
import { decline, undefinedIfDeclined } from '../binary/fast-path-declined.ts';
import type { CueStats } from '../timing/cue-stats.ts';
import type { StreamStats } from '../timing/stream-stats.ts';
import { type Box, childBoxes, readBoxBody, readTopBoxes, requiredBox } from './box-reader.ts';
import { maxMovieBytes } from './movie-reader.ts';
import { maxSamples } from './sample-list.ts';
import { sampleCues, sampleStats } from './sample-stats.ts';
import { readSampleTable } from './sample-table-reader.ts';
import { readEdit, readMediaHeader, readMovieHeader, readTrackId } from './track-reader.ts';

/** Statistics of a track, and of its cues if it has subtitles. */
interface TrackStats {
  readonly stats: StreamStats;
  readonly cues?: CueStats;
}

/**
 * Reads the statistics of a finished MP4 or QuickTime file from its sample tables, without its media. Unlike the parser
 * of the fast path, it accepts files with subtitles, data and metadata, as the media library writes them.
 *
 * @returns The statistics by track ID. Tracks with unusual tables are missing.
 */
export function readSampleTableStats(source: ByteSource): ReadonlyMap<number, TrackStats> {
  return undefinedIfDeclined(() => readAllTracks(source)) ?? new Map();
}

function readAllTracks(source: ByteSource): Map<number, TrackStats> {
  const moov = readTopBoxes(source).find(({ type }) => type === 'moov') ?? decline('it has no index');
  const boxes = childBoxes(readBoxBody(source, moov, maxMovieBytes));
  const scale = readMovieHeader(requiredBox(boxes, 'mvhd'));
  const stats = boxes.flatMap((box) => {
    const trackStats =
      box.type === 'trak' ? undefinedIfDeclined(() => readTrackStats(childBoxes(box.body), scale)) : undefined;
    return trackStats === undefined ? [] : [trackStats];
  });
  return new Map(stats);
}

function readTrackStats(track: readonly Box[], movieScale: number): readonly [number, TrackStats] | undefined {
  const media = childBoxes(requiredBox(track, 'mdia'));
  const table = childBoxes(requiredBox(childBoxes(requiredBox(media, 'minf')), 'stbl'));
  const { timescale } = readMediaHeader(requiredBox(media, 'mdhd'));
  const edit = readEdit(track, movieScale);
  const samples = readSampleTable(table, true, maxSamples);
  const timing = { timescale, ...(edit && { edit }) };
  const stats = sampleStats(samples, timing);
  const cues = isMedia(requiredBox(media, 'hdlr')) ? undefined : sampleCues(samples, timing);
  return stats && [readTrackId(requiredBox(track, 'tkhd')), { stats, ...(cues && { cues }) }];
}

/** Returns whether a track is video or audio, given its `hdlr` box. */
function isMedia(handler: Buffer): boolean {
  return ['vide', 'soun'].includes(handler.toString('latin1', 8, 12));
}
