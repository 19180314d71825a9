import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authenticateRender } from '../../accounts/authenticate.ts';
import { statusLinks } from '../../contract/addresses.ts';
import { parseJob } from '../../contract/parse-job.ts';
import type { RenderPlan } from '../../contract/render-preview.ts';
import type { CacheResponse, RenderStartResponse } from '../../contract/status.ts';
import { untilGone } from '../../http/disconnected.ts';
import { openOrder } from '../jobs/execution-url.ts';
import { wantsPreview } from '../preview/wants-preview.ts';
import { createStarts, type Start, type StartServices } from './starts.ts';

/** Headers of a HEAD, which starts nothing: those of the start call. */
const startHeaders = { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' };

/** Adds the three ways to start a job, by key, by stored description, by sealed URL; and storing a description. */
export function addStartRoutes(app: FastifyInstance, services: StartServices): void {
  const { cache, keys, sealer, addresses } = services;
  const starts = createStarts(services);

  async function carryOut(
    start: Start,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<RenderStartResponse | RenderPlan> {
    reply.header('cache-control', 'no-store');
    if (wantsPreview(request.query)) return await start.plan(untilGone(reply));
    const { statusCode, body } = await start.begin();
    reply.code(statusCode);
    return body;
  }

  app.post('/api/v1/render/execute', async (request, reply) => {
    const account = await authenticateRender(request.headers, keys);
    return await carryOut(starts.described(account, request.body), request, reply);
  });

  app.post('/api/v1/render/cache', async (request, reply): Promise<CacheResponse> => {
    const account = await authenticateRender(request.headers, keys);
    const job = parseJob(request.body);
    await starts.admit(account);
    const { cacheId, expiresAt } = await cache.store(job, account.id);
    reply.code(201).header('cache-control', 'no-store');
    return {
      cacheId,
      executionUrl: `${addresses().render}/api/v1/render/execute/${cacheId}`,
      statusUrl: statusLinks(addresses(), job.id).statusUrl,
      expiresAt: expiresAt.toISOString(),
    };
  });

  app.get<{ Params: { cacheId: string } }>(
    '/api/v1/render/execute/:cacheId',
    { exposeHeadRoute: false },
    async (request, reply) => await carryOut(await starts.stored(request.params.cacheId), request, reply),
  );
  app.head<{ Params: { cacheId: string } }>('/api/v1/render/execute/:cacheId', async (request, reply) => {
    await cache.find(request.params.cacheId);
    return reply.headers(startHeaders).send();
  });

  app.get<{ Querystring: { order?: unknown } }>(
    '/api/v1/render/execute',
    { exposeHeadRoute: false },
    async (request, reply) => await carryOut(starts.sealed(request.query.order), request, reply),
  );
  app.head<{ Querystring: { order?: unknown } }>('/api/v1/render/execute', async (request, reply) => {
    openOrder(sealer, request.query.order);
    return reply.headers(startHeaders).send();
  });
}
