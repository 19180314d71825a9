import type { FastifyInstance } from 'fastify';
import { authenticateExtraction } from '../../accounts/authenticate.ts';
import { createConnectionLimit } from '../../relay/connection-limit.ts';
import { addExtraction } from '../../roles/add-extraction.ts';
import type { CoreServices, Sources } from '../../roles/services.ts';

/** Adds the extraction API to a local service, for its only caller. */
export function addLocalExtraction(
  server: FastifyInstance,
  services: CoreServices & { readonly sources: Sources },
): void {
  const { config, keys } = services;
  const caller = { keys, plans: config.PLAN_LIMITS, host: undefined, proxySecret: undefined };
  addExtraction(server, services, {
    authenticate: (request) => authenticateExtraction(request.headers, caller),
    limit: createConnectionLimit(config.RELAY_CONNECTIONS),
  });
}
