import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics } from 'prom-client';
import type { Metrics } from './metrics.ts';

/** Adds `/metrics` in the format of Prometheus to the admin server, with the figures of the process itself. */
export function addMetricsRoute(admin: FastifyInstance, { registry }: Metrics): void {
  collectDefaultMetrics({ register: registry });
  admin.get('/metrics', async (_request, reply) => {
    reply.headers({ 'content-type': registry.contentType, 'cache-control': 'no-store' });
    return await registry.metrics();
  });
}
