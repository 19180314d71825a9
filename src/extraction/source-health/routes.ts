import type { FastifyInstance } from 'fastify';
import type { CircuitState } from '../../egress/limits/breaker.ts';
import type { MediaHealth } from '../../media-health/media-health.ts';
import type { SourceHealth } from './source-health.ts';
import { statusOf } from './status.ts';

const MAX_AGE_S = 5;

/** Adds `/status`: the health of the platforms, without authentication. */
export function addStatusRoute(
  app: FastifyInstance,
  health: SourceHealth,
  mediaHealth: Pick<MediaHealth, 'states'>,
  circuits: () => readonly CircuitState[],
): void {
  const since = Date.now();
  app.get('/status', (_request, reply) => {
    reply.header('cache-control', `public, max-age=${MAX_AGE_S}`);
    return reply.send(statusOf(health, mediaHealth, since, circuits()));
  });
}
