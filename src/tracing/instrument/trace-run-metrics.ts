import type { WorkerMetrics } from '../../render/worker/metrics-port.ts';
import type { Tracer } from '../tracer.ts';

/** Wraps the metrics of a worker so that the span of a run states how the run ended. */
export function traceRunMetrics<M extends Pick<WorkerMetrics, 'startRun'>>(metrics: M, tracer: Tracer): M {
  if (!tracer.isOn) return metrics;
  return {
    ...metrics,
    startRun(waitedMs) {
      const run = metrics.startRun(waitedMs);
      return {
        ...run,
        end(how) {
          if (how === 'lost' || how === 'handed_back' || how === 'cancelled')
            tracer.annotate({ 'millrace.run.end': how });
          else if (how !== 'ok') tracer.fail(how);
          run.end(how);
        },
      };
    },
  };
}
