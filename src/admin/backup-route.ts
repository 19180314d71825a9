import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { AuditLog } from '../audit/audit-log.ts';
import { adminRoutes } from '../contract/admin-api/routes.ts';
import { MillraceError } from '../contract/errors.ts';
import type { Database } from '../database/database.ts';
import { addRoute } from '../http/add-route.ts';
import { actorOf } from './actor.ts';

interface BackupServices {
  readonly database: Database;
  readonly auditLog: AuditLog;
  readonly backup?: (() => Promise<Readable>) | undefined;
}

/** Adds the route that sends a backup of the embedded database. */
export function addBackupRoute(app: FastifyInstance, { database, auditLog, backup }: BackupServices): void {
  addRoute(
    app,
    adminRoutes.downloadBackup,
    async (request, reply) => {
      if (backup === undefined) {
        const message = 'This service uses a PostgreSQL server. Back it up there: pg_dump "$DATABASE_URL".';
        throw new MillraceError('not_found', message);
      }
      const record = auditLog.by(actorOf(request));
      await database.transaction((sql) => record(sql, { action: 'backup.download', target: 'database' }));
      return reply.type('application/gzip').send(await backup());
    },
    // A HEAD request would create a backup and discard it.
    { head: false },
  );
}
