import type { FastifyInstance } from 'fastify';
import { type AuditLog, listAuditEntries } from '../audit/audit-log.ts';
import { defaultAuditEntries } from '../contract/admin-api/audit-routes.ts';
import { adminRoutes } from '../contract/admin-api/routes.ts';
import { MillraceError } from '../contract/errors.ts';
import type { Database } from '../database/database.ts';
import { addRoute } from '../http/add-route.ts';
import { actorOf } from './actor.ts';

interface AuditServices {
  readonly database: Database;
  readonly auditLog: AuditLog;
}

/** Adds the routes that list, verify and accept the audit log. */
export function addAuditRoutes(app: FastifyInstance, { database, auditLog }: AuditServices): void {
  addRoute(app, adminRoutes.listAuditEntries, async ({ query: { limit = defaultAuditEntries, ...query } }) =>
    listAuditEntries(database, query, limit),
  );

  addRoute(app, adminRoutes.verifyAuditLog, async ({ query: { anchor } }) => {
    const { faults, ...found } = await auditLog.verify(database, anchor);
    return { intact: faults.length === 0, faults: [...faults], ...found };
  });

  addRoute(app, adminRoutes.acceptAuditLog, async (request) => {
    const { since } = request.body;
    if (await auditLog.accept(database, since, actorOf(request))) return { since };
    throw new MillraceError(
      'conflict',
      'The audit log does not begin at this time, or the record of its start was changed. Verify it, and pass its `since`.',
    );
  });
}
