import type { FastifyInstance } from 'fastify';
import type { Surface } from './http-metrics.ts';
import type { Metrics } from './metrics.ts';
import { statusClassOf } from './status-class.ts';

/** Starts of the patterns of routes. */
const surfaces: readonly (readonly [start: RegExp, surface: Surface])[] = [
  [/^\/p\d+\//, 'extraction'],
  [/^\/api\//, 'render'],
  [/^\/files\//, 'files'],
  [/^\/relay\//, 'relay'],
  [/^\/health/, 'health'],
];

/** Counts the responses of a server. Preflights are counted as `unmatched`, because they belong to no route. */
export function countResponses(app: FastifyInstance, metrics: Metrics): void {
  /** By the pattern of the route, so that each is classified once. */
  const known = new Map<string, Surface>();
  const surfaceOf = (pattern: string | undefined): Surface => {
    if (pattern === undefined) return 'unmatched';
    const surface = known.get(pattern) ?? surfaces.find(([start]) => start.test(pattern))?.[1] ?? 'other';
    known.set(pattern, surface);
    return surface;
  };
  app.addHook('onResponse', (request, reply, done) => {
    metrics.httpResponse(surfaceOf(request.routeOptions.url), statusClassOf(reply.statusCode));
    done();
  });
}
