import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Keys } from '../accounts/keys.ts';
import type { Usage } from '../accounts/usage.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { StoredBlocks } from '../blocks/stored-blocks.ts';
import { MillraceError } from '../contract/errors.ts';
import type { SubjectReader } from '../contract/subjects.ts';
import type { Plans } from '../contract/subscription-plans.ts';
import type { Database } from '../database/database.ts';
import type { Nodes } from '../nodes/nodes.ts';
import type { UnreadResponses } from '../recording/unread-responses.ts';
import { bearerToken, matchesSecret } from '../sealing/compare-secret.ts';
import type { Sealer } from '../sealing/sealer.ts';
import { addAuditRoutes } from './audit-routes.ts';
import { addBackupRoute } from './backup-route.ts';
import { addBlockRoutes } from './block-routes.ts';
import { addDocumentRoute } from './document-route.ts';
import { addAdminJobRoutes } from './job-routes.ts';
import { addKeyRoutes } from './key-routes.ts';
import { addNodeRoutes } from './node-routes.ts';
import { addUnreadRoutes } from './unread-routes.ts';

/** Dependencies of the admin API. */
export interface AdminServices {
  readonly database: Database;
  readonly keys: Keys;
  readonly auditLog: AuditLog;
  /** Cancels all unfinished jobs of a disabled account. */
  readonly cancelJobsOf: (account: string) => Promise<void>;
  readonly usage: Usage;
  readonly plans: Plans;
  readonly nodes: Nodes;
  readonly blocks: StoredBlocks;
  /** Reads what blocks name. */
  readonly subjects: SubjectReader;
  readonly sealer: Sealer;
  /** Creates a backup of the embedded database; undefined with a PostgreSQL server. */
  readonly backup?: (() => Promise<Readable>) | undefined;
  /** The kept responses of sites; undefined if `KEEP_UNREAD` is 0 or the node has no extraction API. */
  readonly unreadResponses?: UnreadResponses | undefined;
  /** Version of the software. */
  readonly version: string;
  /** The token that callers send in `Authorization: Bearer`. */
  readonly token: string;
}

/** Adds the admin API: the routes of `src/contract/admin-api/routes.ts`. Every request needs the token. */
export function addAdminRoutes(app: FastifyInstance, services: AdminServices): void {
  app.register(async (admin) => {
    admin.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const sentToken = bearerToken(request.headers.authorization);
      if (sentToken !== undefined && matchesSecret(sentToken, services.token)) return;
      throw new MillraceError(
        'unauthorized',
        'Send the ADMIN_TOKEN of the service as "Authorization: Bearer <token>".',
      );
    });
    addKeyRoutes(admin, services);
    addAuditRoutes(admin, services);
    addNodeRoutes(admin, services);
    addAdminJobRoutes(admin, services);
    addBlockRoutes(admin, services);
    addBackupRoute(admin, services);
    addUnreadRoutes(admin, services);
    addDocumentRoute(admin, services);
  });
}
