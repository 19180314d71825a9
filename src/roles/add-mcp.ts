import type { FastifyInstance } from 'fastify';
import { addMcpRoute } from '../mcp/http/add-mcp-route.ts';
import { marketplaceOf } from './marketplace.ts';
import type { NodeServices } from './services.ts';

/** Adds the MCP endpoint to a node that has the roles `api` and `render`, whose routes its tools call. */
export function addMcp(server: FastifyInstance, services: NodeServices): void {
  const { sources, addresses, version } = services;
  addMcpRoute(server, { platforms: sources.platforms, marketplace: marketplaceOf(services), addresses, version });
}
