import { type Breaker, createBreaker } from '../egress/breaker.ts';
import type { BreakerRules } from '../egress/breaker-rules.ts';
import { createPace, type Pace, type PaceRules } from '../egress/pace.ts';

/** How the sources are treated, in what all extractions share. */
export interface Manners {
  readonly pace: Pace;
  readonly breaker: Breaker;
  /** Requests that were sent once more, by platform. */
  readonly retries: ReadonlyMap<string, number>;
  countRetry(platform: string): void;
}

/** Makes the manners of a process. */
export function createManners(settings: {
  readonly EGRESS_PACE: PaceRules | undefined;
  readonly BREAKER: BreakerRules | undefined;
}): Manners {
  const retries = new Map<string, number>();
  return {
    pace: createPace(settings.EGRESS_PACE),
    breaker: createBreaker(settings.BREAKER),
    retries,
    countRetry: (platform) => retries.set(platform, (retries.get(platform) ?? 0) + 1),
  };
}
