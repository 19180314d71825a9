import type { FastifyInstance } from 'fastify';
import { authenticateExtraction } from '../../accounts/authenticate.ts';
import { createConnectionLimit } from '../../relay/connection-limit.ts';
import { addExtraction } from '../../roles/extraction.ts';
import type { CommonParts } from '../../roles/parts.ts';

/** Adds the extraction API for the one caller of a command's own service. */
export function addOwnExtraction(server: FastifyInstance, parts: CommonParts): void {
  const { config, keys } = parts;
  const caller = { keys, plans: config.PLAN_LIMITS, host: undefined, proxySecret: undefined };
  addExtraction(server, parts, {
    authenticate: (request) => authenticateExtraction(request.headers, caller),
    limit: createConnectionLimit(config.RELAY_CONNECTIONS),
  });
}
