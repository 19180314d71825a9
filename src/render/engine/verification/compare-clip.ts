import type { Clip } from '../../../contract/clip.ts';
import type { ProbeReport, ProcessReport, WrittenStream } from '../tasks/report.ts';
import type { Extent } from '../timing/timeline.ts';

/** Maximum difference between the playing time of a result and its clip, besides a packet at each end, in seconds. */
const tolerance = 0.3;
/** Maximum duration of a packet that counts, in seconds; slides last longer. */
const maxPacket = 10;

/**
 * Compares the playing time of a result with the clip that the job requested. A clip may only be shorter where the media
 * is, and may only begin earlier with a note.
 *
 * @returns The first difference, as a clause; undefined if they agree.
 */
export function compareClip(clip: Clip, report: ProcessReport, probe: ProbeReport): string | undefined {
  if (report.clip === undefined) return 'its report does not contain the clip';
  const { start, mediaEnd } = report.clip;
  const mayBeginEarly = report.notes.some(({ code }) => code === 'clip_starts_at_key_frame');
  const lead = clip.start - start;
  if (lead < -tolerance || (lead > tolerance && !mayBeginEarly)) {
    return `it begins at ${start.toFixed(1)} s of the media instead of ${clip.start.toFixed(1)} s`;
  }
  const bounds = { first: start, end: Math.min(clip.end ?? Number.POSITIVE_INFINITY, mediaEnd) };
  const sources = report.streams.flatMap((stream) => sourceExtents(stream, bounds));
  const results = probe.streams.flatMap(({ stats }) => (stats === undefined ? [] : [stats.plays ?? stats]));
  if (sources.length === 0 || results.length === 0) return undefined;
  if (beginsUndecodable(report, probe)) return 'its video begins with a frame that cannot be decoded without others';
  const sourceEnd = Math.max(...sources.map(({ end }) => end));
  const [expected, actual] = [secondsOf(sources), secondsOf(results)];
  const maxDifference = tolerance + 2 * longestPacket(probe);
  if (bounds.end - sourceEnd > maxDifference) {
    return `it ends at ${sourceEnd.toFixed(1)} s of the media instead of ${bounds.end.toFixed(1)} s`;
  }
  if (Math.abs(actual - expected) <= maxDifference) return undefined;
  return `its clip plays ${actual.toFixed(1)} s instead of ${expected.toFixed(1)} s`;
}

/** Whether copied video begins with a frame that needs earlier ones. */
function beginsUndecodable({ streams }: ProcessReport, probe: ProbeReport): boolean {
  return streams.some(({ origin }, at) => {
    return origin?.action === 'copy' && probe.streams[at]?.beginsDecodable === false;
  });
}

/** Returns when the sources of a stream play within the bounds of a clip. */
function sourceExtents({ origin }: WrittenStream, bounds: Extent): Extent[] {
  return (origin?.sources ?? []).flatMap(({ stats }) => {
    if (stats === undefined) return [];
    return [{ first: Math.max(stats.first, bounds.first), end: Math.min(stats.end, bounds.end) }];
  });
}

function secondsOf(extents: readonly Extent[]): number {
  return Math.max(...extents.map(({ end }) => end)) - Math.min(...extents.map(({ first }) => first));
}

/** Returns the duration of the longest packet, or the longest time between two, in seconds. */
function longestPacket({ streams }: ProbeReport): number {
  const packets = streams.flatMap(({ stats }) => {
    return stats === undefined ? [] : [stats.end - stats.last, stats.gaps?.[0]?.seconds ?? 0];
  });
  return Math.min(maxPacket, Math.max(0, ...packets));
}
