import type { Proof } from '../../contract/receipt.ts';
import type { ProbeReport } from '../engine/tasks/report.ts';

/** The proof of a file that is stored as it was fetched. */
export const unchangedProof: Proof = { kind: 'unchanged' };

/** Returns the proof of a result that was read again and compared with its inputs. */
export function proofOf({ streams, chapters, duration }: ProbeReport): Proof {
  return {
    kind: 'compared',
    streams: streams.map(({ kind, codec, duration, stats }) => ({
      kind,
      codec,
      packets: stats?.packets ?? null,
      duration: duration ?? null,
    })),
    chapters,
    duration,
  };
}
