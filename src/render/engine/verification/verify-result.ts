import type { Clip } from '../../../contract/clip.ts';
import { MillraceError } from '../../../contract/errors.ts';
import type { ProbeReport, ProcessReport, StreamSummary, WrittenStream } from '../tasks/report.ts';
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
 * @throws MillraceError `result_unproven` with the first difference.
 */
export function verifyResult(report: ProcessReport, probe: ProbeReport, clip?: Clip): void {
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
  const difference = compareStreams(
    report.streams.flatMap((stream, index) => toComparedStreams(stream, probe.streams[index])),
    report.clip?.start,
  );
  if (difference !== undefined) throw mismatch(difference);
  const cues = compareCues(report.streams, probe.streams, report.clip?.start);
  if (cues !== undefined) throw mismatch(cues);
  const clipDifference = clip === undefined ? undefined : compareClip(clip, report, probe);
  if (clipDifference !== undefined) throw mismatch(clipDifference);
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
