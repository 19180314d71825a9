import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { audit } from '../audit/audit-log.ts';
import { adminRoutes } from '../contract/admin-api/routes.ts';
import { MillraceError } from '../contract/errors.ts';
import type { Sql } from '../database/database.ts';
import { addRoute } from '../http/add-route.ts';
import { actorOf } from './actor.ts';

interface BackupServices {
  readonly database: Sql;
  readonly backup?: (() => Promise<Readable>) | undefined;
}

/** Adds the route that sends a backup of the embedded database. */
export function addBackupRoute(app: FastifyInstance, { database, backup }: BackupServices): void {
  addRoute(
    app,
    adminRoutes.downloadBackup,
    async (request, reply) => {
      if (backup === undefined) {
        const message = 'This service uses a PostgreSQL server. Back it up there: pg_dump "$DATABASE_URL".';
        throw new MillraceError('not_found', message);
      }
      await audit(database, actorOf(request), { action: 'backup.download', target: 'database' });
      return reply.type('application/gzip').send(await backup());
    },
    // A HEAD request would create a backup and discard it.
    { head: false },
  );
}
