import type { FastifyInstance } from 'fastify';
import type { ServiceVersion } from '../contract/service-version.ts';

/** Adds `/version`: the versions of the software and its APIs. It states nothing about the machine or its libraries. */
export function addVersionRoute(app: FastifyInstance, version: string): void {
  const body: ServiceVersion = { version, extractionApi: 'v3', renderApi: 'v1' };
  app.get('/version', (_request, reply) => reply.header('cache-control', 'no-store').send(body));
}
