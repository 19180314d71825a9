import { Counter, Histogram } from 'prom-client';
import type { ExtractionMetrics } from '../extraction/metrics-port.ts';
import type { Gauges } from './gauges.ts';
import type { MetricOptionsOf } from './metric-options.ts';

/** Seconds; extractions have a timeout of 25. */
const EXTRACTION_BUCKETS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 30];

/** Creates the metrics of requests and extractions. */
export function createExtractionMetrics(optionsOf: MetricOptionsOf): Omit<ExtractionMetrics, 'resultCache'> {
  const requests = new Counter(
    optionsOf(
      'requests_total',
      'Extraction API requests, by error code, ok or caller_left.',
      'platform',
      'endpoint',
      'code',
    ),
  );
  const requestSeconds = new Histogram({
    ...optionsOf('request_seconds', 'Response time of extraction API requests.', 'platform', 'endpoint'),
    buckets: EXTRACTION_BUCKETS,
  });
  const extractions = new Counter(
    optionsOf(
      'extractions_total',
      'Extractions from platforms, by error code or success.',
      'platform',
      'endpoint',
      'code',
    ),
  );
  const extractionSeconds = new Histogram({
    ...optionsOf('extraction_seconds', 'Duration of extractions from platforms.', 'platform', 'endpoint'),
    buckets: EXTRACTION_BUCKETS,
  });
  const unread = new Counter(
    optionsOf(
      'unread_shapes_total',
      'Entries of platform responses that no parser recognised, by kind: the platform has changed.',
      'platform',
      'endpoint',
      'kind',
    ),
  );
  const lookups = new Counter(
    optionsOf(
      'answer_cache_requests_total',
      'Queries to the result cache, by result: hit, coalesced or miss.',
      'result',
    ),
  );
  const credits = new Counter(optionsOf('credits_debited_total', 'Credits debited.', 'plan'));
  return {
    request(labels, code, milliseconds) {
      requests.inc({ ...labels, code });
      requestSeconds.observe({ ...labels }, milliseconds / 1_000);
    },
    extraction(labels, code, milliseconds) {
      extractions.inc({ ...labels, code });
      extractionSeconds.observe({ ...labels }, milliseconds / 1_000);
    },
    unread(labels, kind, entries) {
      unread.inc({ ...labels, kind }, entries);
    },
    cacheLookup(result) {
      lookups.inc({ result });
    },
    credits(plan, amount) {
      credits.inc({ plan }, amount);
    },
  };
}

/** Creates the metrics of the cache's size. */
export function createCacheMetrics({ gauge }: Gauges): Pick<ExtractionMetrics, 'resultCache'> {
  return {
    resultCache(size) {
      gauge('answer_cache_bytes', 'Estimated memory used by cached results, in bytes.', () => size().bytes);
      gauge('answer_cache_entries', 'Cached results.', () => size().entries);
    },
  };
}
