import type { ErrorCode } from '../contract/errors.ts';

/**
 * How a request for new links ended. `missing`: the item no longer has one of the representations. `too_many`: the links
 * of the sealed URL were replaced too often. `owner_ended`: the owner's key has ended. `cancelled`: nobody waits for the
 * links any more. Otherwise the code of the error.
 */
export type ReplacementResult = 'replaced' | 'missing' | 'too_many' | 'owner_ended' | 'cancelled' | ErrorCode;

/** Metrics of link healing. */
export interface LinkHealingMetrics {
  /** Counts a request for new links, when it has ended. */
  replacementRequested(platform: string, result: ReplacementResult): void;
}
