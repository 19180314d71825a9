import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { statusLinks } from '../../contract/addresses.ts';
import type { RenderStartResponse } from '../../contract/job-status.ts';
import { pathOf, renderPaths } from '../../contract/render-api/paths.ts';
import { renderRoutes } from '../../contract/render-api/routes.ts';
import type { RenderPreview } from '../../contract/render-preview.ts';
import { noteAccess } from '../../http/access-log.ts';
import { addRoute } from '../../http/add-route.ts';
import { disconnectSignal } from '../../http/disconnect-signal.ts';
import { requestOriginOf } from '../../http/request-origin.ts';
import { sealerOfLink } from '../../sealing/sealers.ts';
import { openOrder } from '../jobs/execution-url.ts';
import { descriptionQuota } from '../jobs/stored-descriptions.ts';
import { addKeyAuthenticatedRoute } from './add-key-authenticated-route.ts';
import { createJobStarter, type PreparedStart, type StartServices } from './job-starter.ts';

/** Headers of a response to HEAD, which starts nothing: the same as those of the start call. */
const startHeaders = { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' };

/** Adds the routes that start a job by key, stored description or sealed URL, and that store a description. */
export function addStartRoutes(app: FastifyInstance, services: StartServices): void {
  const { storedDescriptions, keys, sealers, addresses, jobRates } = services;
  const starter = createJobStarter(services);

  async function startOrPreview(
    start: PreparedStart,
    request: FastifyRequest<{ Querystring: { readonly previewOnly: boolean } }>,
    reply: FastifyReply,
  ): Promise<RenderStartResponse | RenderPreview> {
    reply.header('cache-control', 'no-store');
    if (request.query.previewOnly) return await start.preview(disconnectSignal(reply));
    const { statusCode, body } = await start.start(requestOriginOf(request));
    reply.code(statusCode);
    noteAccess(request, { job: body.jobId });
    return body;
  }

  addKeyAuthenticatedRoute(
    app,
    renderRoutes.startJob,
    keys,
    async (account, request, reply) =>
      await startOrPreview(starter.fromDescription(account, request.body), request, reply),
  );

  addKeyAuthenticatedRoute(app, renderRoutes.storeJob, keys, async (account, request, reply) => {
    const job = request.body;
    await starter.applyRateLimit(account);
    const { cacheId, expiresAt } = await storedDescriptions.store(
      job,
      account.id,
      descriptionQuota(account.plan.jobsAtOnce),
    );
    reply.code(201).header('cache-control', 'no-store');
    return {
      cacheId,
      executionUrl: addresses().render + pathOf(renderPaths.startStoredJob, { cacheId }),
      statusUrl: statusLinks(addresses(), job.id).statusUrl,
      expiresAt: expiresAt.toISOString(),
    };
  });

  addRoute(
    app,
    renderRoutes.startStoredJob,
    async (request, reply) =>
      await startOrPreview(await starter.fromCache(request.params.cacheId, request.clientNetworks), request, reply),
    {
      async head(request, reply) {
        jobRates.countUse(request.clientNetworks);
        await storedDescriptions.find(request.params.cacheId);
        return reply.headers(startHeaders).send();
      },
    },
  );

  addRoute(
    app,
    renderRoutes.startSealedJob,
    async (request, reply) =>
      await startOrPreview(starter.fromOrder(request.query.order, request.clientNetworks), request, reply),
    {
      async head(request, reply) {
        const { order } = request.query;
        openOrder(sealerOfLink(sealers, 'execution-url', order), order);
        return reply.headers(startHeaders).send();
      },
    },
  );
}
