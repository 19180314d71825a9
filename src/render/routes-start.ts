import type { FastifyInstance, FastifyReply } from 'fastify';
import { authenticateRender } from '../accounts/authenticate.ts';
import type { Account, Keys } from '../accounts/keys.ts';
import type { Ledger } from '../accounts/ledger.ts';
import { type Addresses, statusLinks } from '../addresses.ts';
import { MillraceError } from '../contract/errors.ts';
import type { Job } from '../contract/job.ts';
import { parseJob } from '../contract/parse-job.ts';
import type { CacheResponse, RenderStartResponse } from '../contract/status.ts';
import type { Sealer } from '../sealing.ts';
import type { JobCache } from './cache.ts';
import { openOrder } from './execution-url.ts';
import type { Jobs, StartOutcome } from './jobs.ts';

/** What the routes that start jobs need. */
export interface StartServices {
  readonly jobs: Jobs;
  readonly cache: JobCache;
  readonly keys: Pick<Keys, 'find' | 'account'>;
  readonly ledger: Ledger;
  readonly sealer: Sealer;
  readonly addresses: () => Addresses;
}

/** Adds the four ways to start a job: by key, by stored description, by sealed URL; and storing a description. */
export function addStartRoutes(app: FastifyInstance, services: StartServices): void {
  const { jobs, cache, keys, ledger, sealer, addresses } = services;

  /** Renders cost no credits, but a plan has limits for how fast they come. */
  const admit = ({ id, plan }: Account) => ledger.reserve(id, { credits: 0, perSecond: plan.startsPerSecond }, 0);

  const startFor = async (account: Account, job: Job): Promise<StartOutcome> => {
    await admit(account);
    return jobs.start(job, account.id, account.plan.jobsAtOnce);
  };

  const answer = (reply: FastifyReply, { jobId, fresh, message }: StartOutcome): RenderStartResponse => {
    reply.code(fresh ? 202 : 200).header('cache-control', 'no-store');
    return { jobId, status: fresh ? 'queued' : 'already_exists', message, ...statusLinks(addresses(), jobId) };
  };

  app.post('/api/v1/render/execute', async (request, reply) => {
    const account = await authenticateRender(request.headers, keys);
    return answer(reply, await startFor(account, parseJob(request.body)));
  });

  app.post('/api/v1/render/cache', async (request, reply): Promise<CacheResponse> => {
    const account = await authenticateRender(request.headers, keys);
    const job = parseJob(request.body);
    await admit(account);
    const { cacheId, expiresAt } = await cache.store(job, account.id);
    reply.code(201).header('cache-control', 'no-store');
    return {
      cacheId,
      executionUrl: `${addresses().render}/api/v1/render/execute/${cacheId}`,
      statusUrl: statusLinks(addresses(), job.id).statusUrl,
      expiresAt: expiresAt.toISOString(),
    };
  });

  const findCached = async (cacheId: string) => {
    const cached = await cache.find(cacheId);
    if (cached !== undefined) return cached;
    throw new MillraceError('not_found', 'No stored job description has this id: it never existed, or has expired.');
  };
  app.get<{ Params: { cacheId: string } }>(
    '/api/v1/render/execute/:cacheId',
    { exposeHeadRoute: false },
    async (request, reply) => {
      const { job, owner } = await findCached(request.params.cacheId);
      const account = await keys.account(owner);
      if (account === undefined || account.ended) {
        throw new MillraceError('forbidden', 'The key that stored this job was revoked. Store it with another one.');
      }
      return answer(reply, await startFor(account, job));
    },
  );
  app.head<{ Params: { cacheId: string } }>('/api/v1/render/execute/:cacheId', async (request, reply) => {
    await findCached(request.params.cacheId);
    return reply.header('cache-control', 'no-store').send();
  });

  app.get<{ Querystring: { order?: unknown } }>(
    '/api/v1/render/execute',
    { exposeHeadRoute: false },
    async (request, reply) => {
      const { description, exit, owner, expiresAt } = openOrder(sealer, request.query.order);
      const job = { ...parseJob(description), exit };
      if (expiresAt > Date.now()) return answer(reply, await jobs.start(job, owner));
      const living = await jobs.attach(job.id, owner);
      if (living !== undefined) return answer(reply, living);
      throw new MillraceError('token_expired', 'This execution URL has expired. Request a fresh one.');
    },
  );
  app.head<{ Querystring: { order?: unknown } }>('/api/v1/render/execute', async (request, reply) => {
    openOrder(sealer, request.query.order);
    return reply.header('cache-control', 'no-store').send();
  });
}
