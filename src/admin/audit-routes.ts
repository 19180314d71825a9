import type { FastifyInstance } from 'fastify';
import { listAuditEntries } from '../audit/audit-log.ts';
import { defaultAuditEntries } from '../contract/admin-api/audit-routes.ts';
import { adminRoutes } from '../contract/admin-api/routes.ts';
import type { Sql } from '../database/database.ts';
import { addRoute } from '../http/add-route.ts';

/** Adds the route that lists the audit log. */
export function addAuditRoutes(app: FastifyInstance, { database }: { readonly database: Sql }): void {
  addRoute(app, adminRoutes.listAuditEntries, async ({ query: { limit = defaultAuditEntries, ...query } }) =>
    listAuditEntries(database, query, limit),
  );
}
