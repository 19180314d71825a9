import type { FastifyInstance } from 'fastify';
import { type ApiKeyInfo, accountIdOf } from '../accounts/api-key.ts';
import { monthOf } from '../accounts/billing-month.ts';
import type { IssuedKey, Keys } from '../accounts/keys.ts';
import type { Usage } from '../accounts/usage.ts';
import type { MonthUsage } from '../contract/admin-api/api-key.ts';
import { adminRoutes } from '../contract/admin-api/routes.ts';
import { MillraceError } from '../contract/errors.ts';
import type { Plans } from '../contract/subscription-plans.ts';
import { addRoute } from '../http/add-route.ts';
import { actorOf } from './actor.ts';

interface KeyServices {
  readonly keys: Keys;
  readonly cancelJobsOf: (account: string) => Promise<void>;
  readonly usage: Usage;
  readonly plans: Plans;
}

/** Adds the routes that create, list, change, rotate and revoke keys and report their usage. */
export function addKeyRoutes(app: FastifyInstance, { keys, cancelJobsOf, usage, plans }: KeyServices): void {
  const describe = ({ createdAt, endedAt, expiresAt, disabledAt, ...key }: ApiKeyInfo) => {
    const { credits, requestsPerSecond, startsPerSecond, jobsAtOnce, storedSize } = plans[key.plan];
    const ofKind = key.kind === 'render' ? { startsPerSecond, jobsAtOnce } : { credits, requestsPerSecond };
    const limits = { ...ofKind, storedSize };
    return {
      ...key,
      limits,
      createdAt: createdAt.toISOString(),
      revokedAt: timeText(endedAt),
      expiresAt: timeText(expiresAt),
      disabledAt: timeText(disabledAt),
    };
  };

  /** Describes a new key. This is the only response that contains the text of a key. */
  const describeIssuedKey = ({ key, info }: IssuedKey) => ({ ...describe(info), key });

  addRoute(app, adminRoutes.createKey, async (request, reply) => {
    reply.code(201);
    return describeIssuedKey(await keys.create({ kind: 'extraction', ...request.body }, actorOf(request)));
  });

  addRoute(app, adminRoutes.listKeys, async () => {
    const month = monthOf(new Date());
    const usageByAccount = await usage.ofMonth(month);
    const noUsage: MonthUsage = { month, credits: 0, requests: 0 };
    const list = await keys.list();
    return { keys: list.map((key) => ({ ...describe(key), usage: usageByAccount.get(accountIdOf(key)) ?? noUsage })) };
  });

  addRoute(app, adminRoutes.getKey, async ({ params }) => {
    const key = orNotFound(await keys.get(params.id));
    return { ...describe(key), usage: [...(await usage.ofAccount(accountIdOf(key)))] };
  });

  addRoute(app, adminRoutes.updateKey, async (request) => {
    const key = orNotFound(await keys.update(request.params.id, request.body, actorOf(request)));
    if (key.disabledAt !== null) await cancelJobsOf(accountIdOf(key));
    return describe(key);
  });

  addRoute(app, adminRoutes.revokeKey, async (request) =>
    describe(orNotFound(await keys.revoke(request.params.id, actorOf(request)))),
  );

  addRoute(app, adminRoutes.rotateKey, async (request) => {
    const { graceSeconds = 0 } = request.body;
    return describeIssuedKey(orNotFound(await keys.rotate(request.params.id, graceSeconds, actorOf(request))));
  });
}

function timeText(time: Date | null): string | null {
  return time === null ? null : time.toISOString();
}

function orNotFound<T>(value: T | undefined): T {
  if (value !== undefined) return value;
  throw new MillraceError('not_found', 'No active key has this ID. GET /admin/keys lists the keys.');
}
