import type { ResultCache } from '../../extraction/cache/result-cache.ts';
import type { ExtractionMetrics } from '../../extraction/metrics-port.ts';
import type { FetchSource } from '../../extraction/source/extract.ts';
import type { Tracer } from '../tracer.ts';

/** Wraps metrics of the extraction API so that spans state cache lookups and failed requests. */
export function traceExtractionMetrics<M extends Pick<ExtractionMetrics, 'request' | 'cacheLookup'>>(
  metrics: M,
  tracer: Tracer,
): M {
  if (!tracer.isOn) return metrics;
  return {
    ...metrics,
    cacheLookup(result) {
      tracer.annotate({ 'millrace.cache': result });
      metrics.cacheLookup(result);
    },
    request(labels, code, milliseconds) {
      if (code !== 'ok') tracer.annotate({ 'error.type': code });
      metrics.request(labels, code, milliseconds);
    },
  };
}

/** Wraps a cache so that lookups have spans. */
export function traceResultCache(cache: ResultCache, tracer: Tracer): ResultCache {
  if (!tracer.isOn) return cache;
  return {
    ...cache,
    get: (query) => tracer.span('look up cached result', {}, () => cache.get(query)),
    fetch: (...call) => tracer.span('fetch result', {}, () => cache.fetch(...call)),
  };
}

/** Wraps extractions so that each has a span. */
export function traceFetchSource(fetchSource: FetchSource, tracer: Tracer): FetchSource {
  if (!tracer.isOn) return fetchSource;
  return (query, caller, signal) => {
    const { platform, endpoint } = query;
    const attributes = { 'millrace.platform': platform, 'millrace.endpoint': endpoint.path };
    return tracer.span('extract', attributes, () => fetchSource(query, caller, signal));
  };
}
