import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics } from 'prom-client';
import { addEventLoopLag } from './event-loop-lag.ts';
import type { Metrics } from './metrics.ts';

/** The longest interval that a timer takes, in milliseconds. */
const NEVER_MS = 2 ** 31 - 1;

/** Adds `/metrics` in the format of Prometheus to the admin server, with the figures of the process itself. */
export function addMetricsRoute(admin: FastifyInstance, { registry, takeFailures }: Metrics): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
  addEventLoopLag(registry);
  admin.get('/metrics', async (request, reply) => {
    const text = await registry.metrics();
    const failures = takeFailures();
    if (failures.length > 0) {
      const metrics = failures.map(({ metric }) => metric);
      request.log.warn({ err: failures[0]?.error, metrics }, 'numbers could not be looked up and are left out');
    }
    reply.headers({ 'content-type': registry.contentType, 'cache-control': 'no-store' });
    return text;
  });
}
