import { type Breaker, createBreaker } from '../../egress/breaker.ts';
import type { BreakerRules } from '../../egress/breaker-rules.ts';
import { createPace, type Pace, type PaceRules } from '../../egress/pace.ts';

/** The policy towards sources, shared by all extractions of a process: rate limit, circuit breaker and retries. */
export interface SourcePolicy {
  readonly pace: Pace;
  readonly breaker: Breaker;
  /** Retried requests, by platform. */
  readonly retries: ReadonlyMap<string, number>;
  countRetry(platform: string): void;
}

/** Creates the source policy of a process. */
export function createSourcePolicy(settings: {
  readonly EGRESS_PACE: PaceRules | undefined;
  readonly BREAKER: BreakerRules | undefined;
}): SourcePolicy {
  const retries = new Map<string, number>();
  return {
    pace: createPace(settings.EGRESS_PACE),
    breaker: createBreaker(settings.BREAKER),
    retries,
    countRetry: (platform) => retries.set(platform, (retries.get(platform) ?? 0) + 1),
  };
}
