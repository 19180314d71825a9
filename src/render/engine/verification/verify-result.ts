import type { Clip } from '../../../contract/clip.ts';
import type { Duration } from '../../../contract/encoding.ts';
import { MillraceError } from '../../../contract/errors.ts';
import type { ProbeReport, ProcessReport, StreamSummary, WrittenStream } from '../tasks/report.ts';
import type { ClipReport } from '../timing/clip-rules.ts';
import { clipToDuration, isMeasured } from '../timing/duration-rules.ts';
import { compareAdditions } from './compare-additions.ts';
import { compareClip } from './compare-clip.ts';
import { compareCues } from './compare-cues.ts';
import { compareStreams } from './compare-streams.ts';
import type { ComparedStream } from './compared-stream.ts';

/**
 * Compares the description of a finished file by a new reader with what was written: streams, chapters, added tags and
 * cover, and bytes. Compares it with the inputs as placed on the result's clock (`compare-streams.ts`, `compare-cues.ts`),
 * and the playing time of a clip with what the job requested (`compare-clip.ts`).
 *
 * @param clip - the clip that the job requested.
 * @param duration - how long the job wants the result to play.
 * @throws MillraceError `result_unproven` with the first difference.
 */
export function verifyResult(report: ProcessReport, probe: ProbeReport, clip?: Clip, duration?: Duration): void {
  if (probe.bytes !== report.bytes) {
    throw mismatch(`it has ${probe.bytes} bytes instead of ${report.bytes}`);
  }
  const [expectedStreams, actualStreams] = [describe(report.streams), describe(probe.streams)];
  if (actualStreams !== expectedStreams) throw mismatch(`it holds ${actualStreams} instead of ${expectedStreams}`);
  if (probe.chapters !== report.chapters) {
    throw mismatch(`it has ${probe.chapters} chapters instead of ${report.chapters}`);
  }
  const addition = compareAdditions(report, probe);
  if (addition !== undefined) throw mismatch(addition);
  const playedClip = playedClipOf(report, clip, duration);
  const difference = compareStreams(
    report.streams.flatMap((stream, index) => {
      const beginsWhole = report.clip !== undefined && stream.kind === 'video' && !hasLossNote(report, stream);
      return toComparedStreams(stream, probe.streams[index]).map((each) => ({ ...each, beginsWhole }));
    }),
    report.clip?.start,
    duration === 'video' ? playedClip?.end : undefined,
  );
  if (difference !== undefined) throw mismatch(difference);
  const cues = compareCues(report.streams, probe.streams, report.clip?.start);
  if (cues !== undefined) throw mismatch(cues);
  // The measured ends say where the media ends, not the reading that was cut short.
  const measuredReport =
    report.clip === undefined || !isMeasured(duration) ? report : withoutMediaEnd(report, report.clip);
  const clipDifference = playedClip === undefined ? undefined : compareClip(playedClip, measuredReport, probe);
  if (clipDifference !== undefined) throw mismatch(clipDifference);
}

/** Returns the part of the media that the result must play; undefined for all of it. */
function playedClipOf({ ends }: ProcessReport, clip: Clip | undefined, duration: Duration | undefined) {
  if (!isMeasured(duration)) return clip;
  if (ends === undefined) throw mismatch('its report does not contain the ends of its inputs');
  return clipToDuration(duration, clip, ends);
}

function withoutMediaEnd(report: ProcessReport, clip: ClipReport): ProcessReport {
  return { ...report, clip: { ...clip, mediaEnd: Number.POSITIVE_INFINITY } };
}

/** Whether a note names lost frames of an input of a stream. */
function hasLossNote({ notes }: ProcessReport, { origin }: WrittenStream): boolean {
  const inputs = new Set(origin?.sources.map(({ input }) => input));
  return notes.some(({ code, input }) => code === 'frames_left_out' && input !== undefined && inputs.has(input));
}

/** Returns a stream to compare with its sources; none for subtitles, whose cues are compared instead. */
function toComparedStreams(
  { kind, codec, origin, stats }: WrittenStream,
  probedStream: StreamSummary | undefined,
): ComparedStream[] {
  if (kind === 'subtitle') return [];
  if (origin === undefined) throw mismatch(`the report does not contain the source of its ${kind}`);
  const probedStats = probedStream?.stats;
  return [{ kind, codec, origin, ...(stats && { muxerStats: stats }), ...(probedStats && { fileStats: probedStats }) }];
}

function describe(streams: readonly StreamSummary[]): string {
  return streams.map(({ kind, codec }) => `${kind} ${codec}`).join(', ') || 'no stream';
}

function mismatch(difference: string): MillraceError {
  return new MillraceError(
    'result_unproven',
    `The result failed verification: ${difference}. Start the same job again.`,
  );
}
