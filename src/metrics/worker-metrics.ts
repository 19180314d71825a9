import { pauseReasons } from '../contract/worker-pause.ts';
import type { Readiness } from '../render/worker/readiness.ts';
import type { Uploads } from '../render/worker/uploads.ts';
import type { Metrics } from './metrics.ts';

/** Adds metrics of this worker's media engine: the isolation layers that it lacks, and its child processes. */
export function addEngineMetrics(
  metrics: Metrics,
  engine: { readonly children: number },
  isolation: { readonly missing: readonly string[] },
): void {
  metrics.labelledGauge(
    'engine_isolation_missing',
    'Isolation layers that are missing for media engine children on this system, each with its consequence.',
    'layer',
    () => new Map(isolation.missing.map((layer) => [layer, 1])),
  );
  metrics.gauge('engine_children', 'Child processes of the media engine.', () => engine.children);
}

/** Adds metrics of this worker: whether it is paused, and the results that it holds. */
export function addWorkerMetrics(metrics: Metrics, readiness: Readiness, uploads: Uploads): void {
  metrics.labelledGauge(
    'worker_paused',
    'Whether this worker is paused and claims no jobs, by reason: 1 or 0.',
    'reason',
    () => new Map(pauseReasons.map((reason) => [reason, Number(readiness.reasons.includes(reason))])),
  );
  metrics.gauge(
    'results_waiting',
    'Results that this worker could not store yet and still holds.',
    () => uploads.waiting.results,
  );
  metrics.gauge('results_waiting_bytes', 'Bytes of the results that this worker holds.', () => uploads.waiting.bytes);
}
