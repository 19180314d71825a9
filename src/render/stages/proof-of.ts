import type { Proof } from '../../contract/receipt.ts';
import type { ProbeReport } from '../engine/tasks/report.ts';

/** The proof of a file that is stored as it was fetched. */
export const unchangedProof: Proof = { kind: 'unchanged' };

/**
 * Returns the proof of a result that was read again and compared with its inputs. The durations of a clip are without
 * what its edit lists hide.
 */
export function proofOf({ streams, chapters, duration }: ProbeReport, isClip: boolean): Proof {
  const plays = isClip ? streams.flatMap(({ stats }) => stats?.plays ?? []) : [];
  return {
    kind: 'compared',
    streams: streams.map(({ kind, codec, duration, stats }) => {
      const played = isClip ? stats?.plays : undefined;
      return {
        kind,
        codec,
        packets: stats?.packets ?? null,
        duration: played === undefined ? (duration ?? null) : played.end - played.first,
      };
    }),
    chapters,
    duration: plays.length === 0 ? duration : Math.max(...plays.map(({ end }) => end)),
  };
}
