import type { ByteSource } from '../binary/byte-source.ts';
import { decline, undefinedIfDeclined } from '../binary/fast-path-declined.ts';
import type { CueStats } from '../timing/cue-stats.ts';
import type { StreamStats } from '../timing/stream-stats.ts';
import { type Box, children, readBody, required, topBoxes } from './boxes.ts';
import { maxMovieBytes } from './movie.ts';
import { sampleCues, sampleStats } from './sample-stats.ts';
import { readSampleTable } from './sample-table.ts';
import { maxSamples } from './samples.ts';
import { readEdit, readMediaHeader, readMovieHeader, readTrackId } from './tracks.ts';

/** Statistics of a track, and of its cues if it has subtitles. */
interface TableStats {
  readonly stats: StreamStats;
  readonly cues?: CueStats;
}

/**
 * Reads the statistics of a finished MP4 or QuickTime file from its sample tables, without its media. Unlike the parser of
 * the fast path, it accepts files with subtitles, data and metadata, as the media library writes them.
 *
 * @returns The statistics by track id; tracks whose tables are unusual are missing.
 */
export function readTableStats(source: ByteSource): ReadonlyMap<number, TableStats> {
  return undefinedIfDeclined(() => readAll(source)) ?? new Map();
}

function readAll(source: ByteSource): Map<number, TableStats> {
  const moov = topBoxes(source).find(({ type }) => type === 'moov') ?? decline('it has no index');
  const boxes = children(readBody(source, moov, maxMovieBytes));
  const scale = readMovieHeader(required(boxes, 'mvhd'));
  const stats = boxes.flatMap((box) => {
    const read = box.type === 'trak' ? undefinedIfDeclined(() => readOne(children(box.body), scale)) : undefined;
    return read === undefined ? [] : [read];
  });
  return new Map(stats);
}

function readOne(track: readonly Box[], movieScale: number): readonly [number, TableStats] | undefined {
  const media = children(required(track, 'mdia'));
  const table = children(required(children(required(media, 'minf')), 'stbl'));
  const { timescale } = readMediaHeader(required(media, 'mdhd'));
  const edit = readEdit(track, movieScale);
  const samples = readSampleTable(table, true, maxSamples);
  const timing = { timescale, ...(edit && { edit }) };
  const stats = sampleStats(samples, timing);
  const cues = isMedia(required(media, 'hdlr')) ? undefined : sampleCues(samples, timing);
  return stats && [readTrackId(required(track, 'tkhd')), { stats, ...(cues && { cues }) }];
}

/** Whether a track has video or audio, given its `hdlr` box. */
function isMedia(handler: Buffer): boolean {
  return ['vide', 'soun'].includes(handler.toString('latin1', 8, 12));
}
