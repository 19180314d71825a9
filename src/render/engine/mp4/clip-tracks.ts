import type { Clip } from '../../../contract/clip.ts';
import type { OutputNote } from '../../../contract/output-notes.ts';
import {
  type ClipReport,
  clipNotes,
  clipOutOfRange,
  clipRounding,
  emptyStreamNote,
  preRollPackets,
} from '../timing/clip-rules.ts';
import type { StreamStats } from '../timing/stream-stats.ts';
import type { SampleList } from './sample-list.ts';
import { sampleStats } from './sample-stats.ts';
import type { Track } from './track-reader.ts';
import type { SourceTrack, TrackTiming } from './track-timing.ts';

/** A track of a clip. */
interface ClippedTrack {
  readonly source: SourceTrack;
  readonly timing: TrackTiming;
  /** Timing of its samples on the clock of the media. */
  readonly stats: StreamStats | undefined;
}

/** The tracks of a clip. */
interface ClippedTracks {
  readonly tracks: readonly ClippedTrack[];
  readonly report: ClipReport;
  readonly notes: readonly OutputNote[];
}

/**
 * Cuts tracks to a clip. Video keeps its samples from the key frame before the start, and audio keeps what its decoder
 * needs. Edit lists hide them, so that playback begins and ends exactly at the bounds of the clip.
 *
 * @param timings - when the tracks play, counted from the beginning of the media.
 * @param jobInputs - index of the job input that each file belongs to, from 0.
 * @throws MillraceError `clip_out_of_range`.
 */
export function clipTracks(
  tracks: readonly SourceTrack[],
  timings: readonly TrackTiming[],
  clip: Clip,
  jobInputs: readonly number[],
): ClippedTracks {
  const mediaEnd = Math.max(0, ...timings.map(({ delay, length }) => delay + length));
  const report = { start: clip.start, mediaEnd };
  const clippedTracks: ClippedTrack[] = [];
  const notes = clipNotes(clip, report);
  tracks.forEach((source, at) => {
    const timing = timings[at];
    const clipped = timing === undefined ? undefined : clipTrack(source, timing, clip);
    if (clipped !== undefined) clippedTracks.push(clipped);
    else notes.push(emptyStreamNote(source.track.kind, jobInputs[source.input] ?? source.input));
  });
  if (clippedTracks.length === 0) throw clipOutOfRange(clip, mediaEnd);
  return { tracks: clippedTracks, report, notes };
}

/** Cuts a track. Returns undefined if it does not play in the clip. */
function clipTrack(
  { input, track, samples }: SourceTrack,
  timing: TrackTiming,
  { start, end = Number.POSITIVE_INFINITY }: Clip,
): ClippedTrack | undefined {
  const { timescale } = track;
  const from = Math.max(timing.delay, start);
  const to = Math.min(timing.delay + timing.length, end);
  if (to - from < clipRounding) return undefined;
  /** Where the clip begins, in ticks from the decoding time of the first sample. */
  const begin = timing.mediaTime - timing.lead + Math.round((from - timing.delay) * timescale);
  const range = sampleRange(samples, track, begin, begin + Math.round((to - from) * timescale));
  const clippedSamples = samples.slice(range.first, range.end);
  const lead = Math.max(0, -clippedSamples.compositions.reduce((least, value) => Math.min(least, value), 0));
  const shift = clippedSamples.start - samples.start;
  const extent = clippedSamples.extent();
  return {
    source: { input, track, samples: clippedSamples },
    timing: {
      delay: from - start,
      mediaTime: Math.max(0, begin - shift) + lead,
      length: to - from,
      lead,
      duration: (extent.end - extent.first) / timescale,
    },
    stats: sampleStats(clippedSamples, {
      timescale,
      edit: { delay: timing.delay, mediaTime: samples.start + timing.mediaTime - timing.lead },
    }),
  };
}

/**
 * Returns the samples that a clip needs: the index of the first one, and the index after the last one. The bounds of the
 * clip are in ticks from the decoding time of the first sample.
 */
function sampleRange(samples: SampleList, { kind, codec, timescale }: Track, begin: number, end: number) {
  const rounding = clipRounding * timescale;
  let [time, first, last] = [0, 0, 0];
  for (let at = 0; at < samples.count; at += 1) {
    const shown = time + (samples.compositions[at] ?? 0);
    if (samples.sync[at] === 1 && shown <= begin + (kind === 'video' ? rounding : 0)) first = at;
    if (shown < end - rounding) last = at;
    time += samples.durations[at] ?? 0;
  }
  const packetSeconds = (samples.durations[first] ?? 0) / timescale;
  const preRoll = kind === 'audio' ? preRollPackets(codec, packetSeconds) : 0;
  return { first: Math.max(0, first - preRoll), end: Math.max(first, last) + 1 };
}
