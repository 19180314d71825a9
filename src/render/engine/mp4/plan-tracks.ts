import { MillraceError } from '../../../contract/errors.ts';
import type { OutputNote } from '../../../contract/output-notes.ts';
import { decline } from '../binary/fast-path-declined.ts';
import type { ProcessReport } from '../tasks/report.ts';
import type { ProcessTask } from '../tasks/task.ts';
import type { StreamStats } from '../timing/stream-stats.ts';
import type { SourceStream } from '../track-plan/source-stream.ts';
import type { TrackPlan } from '../track-plan/track.ts';
import { planTracks } from '../track-plan/track-plan.ts';
import type { Mp4Container } from './movie-writer.ts';
import { sampleStats } from './sample-stats.ts';
import type { Track } from './track-reader.ts';
import type { SourceTrack, TrackTiming } from './track-timing.ts';

/**
 * Maps input streams to output tracks by the engine's own rules.
 *
 * @param jobInputs - index of the job input that each file belongs to, from 0.
 *
 * @throws FastPathDeclined if these rules refuse the operation. The engine then reports its own error.
 */
export function planMp4Tracks(
  movies: readonly { readonly tracks: readonly Pick<Track, 'kind' | 'codec'>[] }[],
  operation: ProcessTask['operation'],
  container: Mp4Container,
  jobInputs: readonly number[] = movies.keys().toArray(),
): TrackPlan {
  const streams = movies.map(({ tracks }, input) =>
    tracks.map(({ kind, codec }, index): SourceStream => {
      return { input, jobInput: jobInputs[input] ?? input, index, kind, codec, cover: false, empty: false };
    }),
  );
  try {
    return planTracks(streams, operation, container);
  } catch (error) {
    if (error instanceof MillraceError) decline(error.message);
    throw error;
  }
}

/**
 * Returns the container of a result.
 *
 * @throws FastPathDeclined if the operation does not copy streams into an MP4 file.
 */
export function containerOf({ operation, output }: Pick<ProcessTask, 'operation' | 'output'>): Mp4Container {
  if (!operation.copyStreams || operation.type === 'mix_audio_and_video') decline('some streams must be encoded');
  if (operation.loudness !== undefined) decline('the loudness must be measured');
  return output.ext === 'mp4' || output.ext === 'm4a'
    ? output.ext
    : decline(`the fast path does not write ${output.ext} files`);
}

/**
 * Builds the report of a result in the same form as the engine's.
 *
 * @param jobInputs - index of the job input that each file belongs to, from 0.
 * @param stats - statistics of the source tracks, by their own timestamps.
 */
export function buildReport(
  tracks: readonly SourceTrack[],
  timings: readonly TrackTiming[],
  bytes: number,
  notes: readonly OutputNote[],
  jobInputs: readonly number[],
  stats: readonly (StreamStats | undefined)[] = tracks.map(({ track, samples }) => sampleStats(samples, track)),
): ProcessReport {
  return {
    streams: tracks.map(({ input, track }, at) => {
      const sourceStats = stats[at];
      const source = {
        file: input,
        input: jobInputs[input] ?? input,
        undecoded: 0,
        hasOrigin: true,
        ...(sourceStats && { stats: sourceStats }),
      };
      const origin = { action: 'copy', sources: [source] } as const;
      return { kind: track.kind, codec: track.codec, duration: timings[at]?.duration ?? 0, origin };
    }),
    duration: Math.max(...timings.map(({ duration }) => duration)),
    bytes,
    // Files with chapters are declined.
    chapters: 0,
    notes,
  };
}
