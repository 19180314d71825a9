import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics } from 'prom-client';
import { addEventLoopLag } from './event-loop-lag.ts';
import type { Metrics } from './metrics.ts';

/** The longest possible interval of a timer, in milliseconds. */
const NEVER_MS = 2 ** 31 - 1;

/**
 * Adds `/metrics` in the Prometheus format to the admin server, including the process metrics. With the lab, the
 * metrics of test keys are at `/metrics/test`, so that alerts on the first never count test traffic.
 */
export function addMetricsRoutes(admin: FastifyInstance, metrics: Metrics, testMetrics?: Metrics): void {
  collectDefaultMetrics({ register: metrics.registry, eventLoopMonitoringPrecision: NEVER_MS });
  addEventLoopLag(metrics.registry);
  addMetricsRoute(admin, '/metrics', metrics);
  if (testMetrics !== undefined) addMetricsRoute(admin, '/metrics/test', testMetrics);
}

function addMetricsRoute(admin: FastifyInstance, path: string, { registry, takeFailures }: Metrics): void {
  admin.get(path, async (request, reply) => {
    const text = await registry.metrics();
    const failures = takeFailures();
    if (failures.length > 0) {
      const metrics = failures.map(({ metric }) => metric);
      request.log.warn({ err: failures[0]?.error, metrics }, 'gauges could not be read and are left out');
    }
    reply.headers({ 'content-type': registry.contentType, 'cache-control': 'no-store' });
    return text;
  });
}
