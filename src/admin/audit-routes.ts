import type { FastifyInstance } from 'fastify';
import { type AuditLog, listAuditEntries } from '../audit/audit-log.ts';
import { defaultAuditEntries } from '../contract/admin-api/audit-routes.ts';
import { adminRoutes } from '../contract/admin-api/routes.ts';
import type { Database } from '../database/database.ts';
import { addRoute } from '../http/add-route.ts';

interface AuditServices {
  readonly database: Database;
  readonly auditLog: AuditLog;
}

/** Adds the routes that list and verify the audit log. */
export function addAuditRoutes(app: FastifyInstance, { database, auditLog }: AuditServices): void {
  addRoute(app, adminRoutes.listAuditEntries, async ({ query: { limit = defaultAuditEntries, ...query } }) =>
    listAuditEntries(database, query, limit),
  );

  addRoute(app, adminRoutes.verifyAuditLog, async ({ query: { anchor } }) => {
    const { faults, ...found } = await auditLog.verify(database, anchor);
    return { intact: faults.length === 0, faults: [...faults], ...found };
  });
}
