import type { ErrorCode } from '../contract/errors.ts';
import type { PlanName } from '../contract/subscription-plans.ts';

/** An endpoint of the extraction API. */
interface EndpointLabels {
  /** Such as `p1`. */
  readonly platform: string;
  /** Such as `/video/details`. */
  readonly endpoint: string;
}

/** The size of the cache. */
interface CacheSize {
  /** Estimated bytes of memory. */
  readonly bytes: number;
  readonly entries: number;
}

/** How a result is obtained; `coalesced`: from an identical extraction that was already running. */
export type CacheLookup = 'hit' | 'coalesced' | 'miss';

/** The metrics of the extraction API. */
export interface ExtractionMetrics {
  /** Counts a request that got a response. */
  request(labels: EndpointLabels, code: ErrorCode | 'ok' | 'caller_left', milliseconds: number): void;
  /** Counts an extraction that succeeded or failed. */
  extraction(labels: EndpointLabels, code: ErrorCode | 'success', milliseconds: number): void;
  /** Counts entries of a response that no parser recognised. There are few kinds, and each is short. */
  unread(labels: EndpointLabels, kind: string, entries: number): void;
  /** Counts a cache lookup. */
  cacheLookup(result: CacheLookup): void;
  /** Counts credits that were charged. */
  credits(plan: PlanName, amount: number): void;
  /** Reports the size of the cache, which is read together with the metrics. */
  resultCache(size: () => CacheSize): void;
}
