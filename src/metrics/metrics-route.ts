import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics } from 'prom-client';
import { addEventLoopLag } from './event-loop-lag.ts';
import type { Metrics } from './metrics.ts';

/** The longest possible interval of a timer, in milliseconds. */
const NEVER_MS = 2 ** 31 - 1;

/** Adds `/metrics` in the Prometheus format to the admin server, including the process metrics. */
export function addMetricsRoute(admin: FastifyInstance, { registry, takeFailures }: Metrics): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
  addEventLoopLag(registry);
  admin.get('/metrics', async (request, reply) => {
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
