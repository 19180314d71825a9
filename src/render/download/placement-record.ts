import type { SummedRange } from './arrival-proof.ts';
import type { Journal } from './journal.ts';
import { recordPlacedRange, recordPlacedVersion } from './resumable-placement.ts';
import { type PartHead, resourceVersionOf } from './source-request.ts';

/** Records the ranges of one input in the journal of a placed download. */
interface PlacementRecord {
  /** Call it with the first head of each new link to the input. */
  onNewLink(head: PartHead): void;
  /** Starts recording, after the placement is recorded. Returns the function that records a range. */
  begin(): (range: SummedRange) => void;
}

/**
 * Creates the record of an input. It ends when a new link sends no version, because a later run could not recognize the
 * version of the ranges that follow.
 */
export function createPlacementRecord(journal: Journal, input: number): PlacementRecord {
  /** The heads of links that were new before the placement was recorded. */
  const earlyHeads: PartHead[] = [];
  let state: 'waiting' | 'recording' | 'ended' = 'waiting';

  function recordVersion(head: PartHead): void {
    const version = resourceVersionOf(head);
    if (version === undefined) state = 'ended';
    else if (state === 'recording') recordPlacedVersion(journal, input, version);
  }

  return {
    onNewLink(head) {
      if (state === 'waiting') earlyHeads.push(head);
      else recordVersion(head);
    },
    begin() {
      state = 'recording';
      earlyHeads.forEach(recordVersion);
      return (range) => {
        if (state === 'recording') recordPlacedRange(journal, input, range);
      };
    },
  };
}
