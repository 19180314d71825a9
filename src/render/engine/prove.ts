import { MillraceError } from '../../contract/errors.ts';
import type { ProbeReport, ProcessReport, StreamSummary } from './engine.ts';

/**
 * Holds what a fresh reader found in a finished file against what was written: streams, chapters, playing time, bytes.
 *
 * @throws MillraceError `result_unproven` with the first difference.
 */
export function prove(written: ProcessReport, found: ProbeReport): void {
  if (found.bytes !== written.bytes) {
    throw unproven(`it has ${found.bytes} bytes instead of ${written.bytes}`);
  }
  const [expected, actual] = [describe(written.streams), describe(found.streams)];
  if (actual !== expected) throw unproven(`it holds ${actual} instead of ${expected}`);
  if (found.chapters !== written.chapters) {
    throw unproven(`it has ${found.chapters} chapters instead of ${written.chapters}`);
  }
  if (!sameDuration(written.duration, found.duration)) {
    throw unproven(`it plays ${found.duration.toFixed(1)} s instead of ${written.duration.toFixed(1)} s`);
  }
  written.streams.forEach((stream, index) => {
    const other = found.streams[index];
    if (stream.duration === undefined || other?.duration === undefined) return;
    if (!sameDuration(stream.duration, other.duration)) {
      throw unproven(
        `its ${stream.kind} stream plays ${other.duration.toFixed(1)} s instead of ${stream.duration.toFixed(1)} s`,
      );
    }
  });
}

/** Containers round times to their own clocks, and the last frame's length is a guess in some. */
function sameDuration(expected: number, actual: number): boolean {
  return Math.abs(expected - actual) <= Math.max(0.5, expected * 0.01);
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
