import { type Breaker, createBreaker } from '../../egress/limits/breaker.ts';
import type { BreakerRules } from '../../egress/limits/breaker-rules.ts';
import { createRateLimiter, type RateLimiter, type RateLimitRules } from '../../egress/limits/rate-limit.ts';

/** The policy towards sources, shared by all extractions of a process: rate limit, circuit breaker and retries. */
export interface SourcePolicy {
  readonly rateLimiter: RateLimiter;
  readonly breaker: Breaker;
  /** Retried requests, by platform. */
  readonly retries: ReadonlyMap<string, number>;
  countRetry(platform: string): void;
}

/** Creates the source policy of a process. */
export function createSourcePolicy(settings: {
  readonly EGRESS_PACE: RateLimitRules | undefined;
  readonly BREAKER: BreakerRules | undefined;
}): SourcePolicy {
  const retries = new Map<string, number>();
  return {
    rateLimiter: createRateLimiter(settings.EGRESS_PACE),
    breaker: createBreaker(settings.BREAKER),
    retries,
    countRetry: (platform) => retries.set(platform, (retries.get(platform) ?? 0) + 1),
  };
}
