import type { FastifyInstance } from 'fastify';
import { authenticateExtraction } from '../../accounts/authenticate.ts';
import { createConnectionLimit } from '../../relay/connection-limit.ts';
import { addExtraction } from '../../roles/extraction.ts';
import type { CommonParts } from '../../roles/parts.ts';

/** Adds the extraction API to a local service, for its one caller. */
export function addLocalExtraction(server: FastifyInstance, parts: CommonParts): void {
  const { config, keys } = parts;
  const caller = { keys, plans: config.PLAN_LIMITS, host: undefined, proxySecret: undefined };
  addExtraction(server, parts, {
    callerOf: (request) => authenticateExtraction(request.headers, caller),
    limit: createConnectionLimit(config.RELAY_CONNECTIONS),
  });
}
