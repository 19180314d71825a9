import type { DeliveryOutcome } from '../../contract/delivery-outcome.ts';
import type { OutputNote } from '../../contract/output-notes.ts';
import type { ResultEvidence } from './result-evidence.ts';

/** A verified result that is ready to be stored. */
export interface FinishedResult {
  readonly path: string;
  readonly bytes: number;
  /** Streams that were left out or changed. */
  readonly notes: readonly OutputNote[];
  /** What its receipt states about its making; absent if an earlier version made and retained it. */
  readonly evidence?: ResultEvidence;
  /** The outcome of its delivery, if an earlier run has delivered it. */
  readonly delivery?: DeliveryOutcome;
}
