import { Counter } from 'prom-client';
import type { MetricOptionsOf } from './metric-options.ts';
import type { StatusClass } from './status-class.ts';

/** The part of the service that a route belongs to; `unmatched`: no route has the requested path. */
export type Surface = 'extraction' | 'render' | 'files' | 'relay' | 'health' | 'other' | 'unmatched';

/** Creates the metric of responses to callers. */
export function createHttpMetrics(optionsOf: MetricOptionsOf) {
  const responses = new Counter(
    optionsOf(
      'http_responses_total',
      'HTTP responses to callers, by the part of the service and the status class. Status streams are not counted.',
      'surface',
      'status',
    ),
  );
  return {
    /** Counts a response. */
    httpResponse(surface: Surface, status: StatusClass): void {
      responses.inc({ surface, status });
    },
  };
}
