import { MillraceError } from '../../../contract/errors.ts';
import type { ProbeReport, ProcessReport, StreamSummary, WrittenStream } from '../tasks/report.ts';
import { cueDifferenceFrom } from './compare-cues.ts';
import { differenceFrom } from './compare-streams.ts';
import type { ComparedStream } from './compared-stream.ts';

/**
 * Compares what a fresh reader found in a finished file with what was written (streams, chapters, bytes), and with the
 * inputs as placed on its clock (`compare-stats.ts`, `compare-cues.ts`).
 *
 * @throws MillraceError `result_unproven` with the first difference.
 */
export function verifyResult(written: ProcessReport, found: ProbeReport): void {
  if (found.bytes !== written.bytes) {
    throw unproven(`it has ${found.bytes} bytes instead of ${written.bytes}`);
  }
  const [expected, actual] = [describe(written.streams), describe(found.streams)];
  if (actual !== expected) throw unproven(`it holds ${actual} instead of ${expected}`);
  if (found.chapters !== written.chapters) {
    throw unproven(`it has ${found.chapters} chapters instead of ${written.chapters}`);
  }
  const difference = differenceFrom(written.streams.flatMap((stream, index) => compared(stream, found.streams[index])));
  if (difference !== undefined) throw unproven(difference);
  const cues = cueDifferenceFrom(written.streams, found.streams);
  if (cues !== undefined) throw unproven(cues);
}

/** A stream that is compared with its sources; none for subtitles, of which the cues are compared. */
function compared({ kind, codec, origin, stats }: WrittenStream, found: StreamSummary | undefined): ComparedStream[] {
  if (kind === 'subtitle') return [];
  if (origin === undefined) throw unproven(`nothing says what its ${kind} was made from`);
  const read = found?.stats;
  return [{ kind, codec, origin, ...(stats && { written: stats }), ...(read && { found: read }) }];
}

function describe(streams: readonly StreamSummary[]): string {
  return streams.map(({ kind, codec }) => `${kind} ${codec}`).join(', ') || 'no stream';
}

function unproven(difference: string): MillraceError {
  return new MillraceError(
    'result_unproven',
    `The result was checked and is not what it should be: ${difference}. Start the same job again.`,
  );
}
