import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { monthOf } from '../accounts/billing-month.ts';
import { type ApiKeyInfo, accountIdOf, type IssuedKey, type Keys } from '../accounts/keys.ts';
import type { MonthUsage, Usage } from '../accounts/usage.ts';
import { MillraceError } from '../contract/errors.ts';
import type { Plans } from '../contract/subscription-plans.ts';
import type { UnreadResponses } from '../recording/unread-responses.ts';
import { bearerToken, matchesSecret } from '../sealing/compare-secret.ts';
import { createBodyReader, createKeySchema, rotateKeySchema } from './request-bodies.ts';

/** Dependencies of the admin API. */
interface AdminServices {
  readonly keys: Keys;
  readonly usage: Usage;
  readonly plans: Plans;
  /** Creates a backup of the embedded database; undefined with a PostgreSQL server. */
  readonly backup?: (() => Promise<Readable>) | undefined;
  /** The kept responses of sites; undefined if `KEEP_UNREAD` is 0 or the node has no extraction API. */
  readonly unreadResponses?: UnreadResponses | undefined;
  /** The token that callers send in `Authorization: Bearer`. */
  readonly token: string;
}

const readCreateKey = createBodyReader(createKeySchema);
const readRotateKey = createBodyReader(rotateKeySchema);

/**
 * Adds the admin API: creates, lists, rotates and revokes keys, reports their usage, backs up the embedded database, and
 * returns responses of sites that could not be read.
 */
export function addAdminRoutes(
  app: FastifyInstance,
  { keys, usage, plans, backup, unreadResponses, token }: AdminServices,
): void {
  const describe = ({ id, kind, name, plan, createdAt, endedAt }: ApiKeyInfo) => {
    const { credits, requestsPerSecond, startsPerSecond, jobsAtOnce } = plans[plan];
    const limits = kind === 'render' ? { startsPerSecond, jobsAtOnce } : { credits, requestsPerSecond };
    return { id, kind, name, plan, limits, createdAt, revokedAt: endedAt };
  };

  /** Describes a new key. This is the only response that contains the text of a key. */
  const describeIssuedKey = ({ key, info }: IssuedKey) => ({ ...describe(info), key });

  app.register(async (admin) => {
    admin.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const sentToken = bearerToken(request.headers.authorization);
      if (sentToken !== undefined && matchesSecret(sentToken, token)) return;
      throw new MillraceError(
        'unauthorized',
        'Send the ADMIN_TOKEN of the service as "Authorization: Bearer <token>".',
      );
    });

    admin.post('/admin/keys', async (request, reply) => {
      const { kind = 'extraction', plan, name } = readCreateKey(request.body);
      reply.code(201);
      return describeIssuedKey(await keys.create(kind, plan, name));
    });

    admin.get('/admin/keys', async () => {
      const month = monthOf(new Date());
      const usageByAccount = await usage.ofMonth(month);
      const noUsage: MonthUsage = { month, credits: 0, requests: 0 };
      const list = await keys.list();
      return {
        keys: list.map((key) => ({ ...describe(key), usage: usageByAccount.get(accountIdOf(key)) ?? noUsage })),
      };
    });

    admin.get<{ Params: { id: string } }>('/admin/keys/:id', async ({ params }) => {
      const key = orNotFound(await keys.get(params.id));
      return { ...describe(key), usage: await usage.ofAccount(accountIdOf(key)) };
    });

    admin.delete<{ Params: { id: string } }>('/admin/keys/:id', async ({ params }) =>
      describe(orNotFound(await keys.revoke(params.id))),
    );

    admin.post<{ Params: { id: string } }>('/admin/keys/:id/rotate', async ({ params, body }) => {
      const { graceSeconds = 0 } = readRotateKey(body);
      return describeIssuedKey(orNotFound(await keys.rotate(params.id, graceSeconds)));
    });

    // A HEAD request would create a backup and discard it.
    admin.get('/admin/backup', { exposeHeadRoute: false }, async (_request, reply) => {
      if (backup === undefined) {
        const message = 'This service uses a PostgreSQL server. Back it up there: pg_dump "$DATABASE_URL".';
        throw new MillraceError('not_found', message);
      }
      return reply.type('application/gzip').send(await backup());
    });

    admin.get('/admin/unread', async () => ({ unread: keptResponses(unreadResponses).list() }));

    admin.get<{ Params: { id: string } }>('/admin/unread/:id', async ({ params }) => {
      const exchanges = await keptResponses(unreadResponses).get(params.id);
      if (exchanges !== undefined) return { exchanges };
      throw new MillraceError(
        'not_found',
        'No kept response has this ID, or it has expired. GET /admin/unread lists the kept responses.',
        {
          status: 404,
        },
      );
    });
  });
}

function orNotFound<T>(value: T | undefined): T {
  if (value !== undefined) return value;
  throw new MillraceError('not_found', 'No active key has this ID. GET /admin/keys lists the keys.', { status: 404 });
}

function keptResponses(responses: UnreadResponses | undefined): UnreadResponses {
  if (responses !== undefined) return responses;
  const message = 'This node keeps no responses. Set KEEP_UNREAD on a node with the role api, and restart it.';
  throw new MillraceError('not_found', message, { status: 404 });
}
