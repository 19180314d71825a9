import type { ErrorCode } from '../contract/errors.ts';
import type { PlanName } from '../contract/subscription-plans.ts';

/** An endpoint of the extraction API. */
interface EndpointLabels {
  /** Such as `p1`. */
  readonly platform: string;
  /** Such as `/video/details`. */
  readonly endpoint: string;
}

/** What the cache holds. */
interface CacheSize {
  /** Bytes of memory, by estimate. */
  readonly bytes: number;
  readonly entries: number;
}

/** The metrics of the extraction API. */
export interface ExtractionMetrics {
  /** Counts a request that was answered. */
  request(labels: EndpointLabels, code: ErrorCode | 'ok' | 'caller_left', milliseconds: number): void;
  /** Counts an extraction that succeeded or failed. */
  extraction(labels: EndpointLabels, code: ErrorCode | 'success', milliseconds: number): void;
  /** Counts a lookup in the cache; `coalesced`: an extraction of the same was already under way. */
  cacheLookup(result: 'hit' | 'coalesced' | 'miss'): void;
  /** Counts credits that were debited for good. */
  credits(plan: PlanName, amount: number): void;
  /** Shows the size of the cache, which is read with the metrics. */
  resultCache(size: () => CacheSize): void;
}
