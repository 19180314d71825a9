import type { FastifyInstance } from 'fastify';
import type { CircuitState } from '../../egress/limits/breaker.ts';
import { cacheableDocument, renewedDocument, sendDocument } from '../../http/cacheable-document.ts';
import type { MediaHealth } from '../../media-health/media-health.ts';
import type { SourceHealth } from './source-health.ts';
import { statusOf } from './status.ts';

const MAX_AGE_S = 5;
/** Interval at which the document is made again, which takes a millisecond of the event loop. */
const RENEWAL_MS = 1_000;

/** Adds `/status`: the health of the platforms, without authentication. */
export function addStatusRoute(
  app: FastifyInstance,
  health: SourceHealth,
  mediaHealth: Pick<MediaHealth, 'states'>,
  circuits: () => readonly CircuitState[],
): void {
  const since = Date.now();
  const document = renewedDocument(RENEWAL_MS, () => {
    const status = statusOf(health, mediaHealth, since, circuits());
    return cacheableDocument(JSON.stringify(status), 'application/json', {
      'cache-control': `public, max-age=${MAX_AGE_S}`,
    });
  });
  app.get('/status', { config: { compress: false } }, (request, reply) => sendDocument(request, reply, document()));
}
