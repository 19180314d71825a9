import type { FastifyInstance, FastifyRequest } from 'fastify';
import { authenticateRender } from '../../accounts/authenticate.ts';
import { type BatchResult, parseBatchItem } from '../../contract/batch.ts';
import { bodyTooLargeError } from '../../contract/body-too-large.ts';
import { failureBody, retryAfterOf } from '../../contract/envelope.ts';
import { MillraceError, toMillraceError } from '../../contract/errors.ts';
import { jobLimits } from '../../contract/job.ts';
import { jobFailure, noFailure } from '../../contract/job-failure.ts';
import { parseJob } from '../../contract/parse-job.ts';
import { renderRoutes } from '../../contract/render-api/routes.ts';
import { noteAccess } from '../../http/access-log.ts';
import { addRoute } from '../../http/add-route.ts';
import { disconnectSignal } from '../../http/disconnect-signal.ts';
import { requestOriginOf } from '../../http/request-origin.ts';
import { nextSlice } from '../../waiting/steps.ts';
import { parseExecutionUrl } from '../jobs/execution-url.ts';
import { failureFromColumns } from '../jobs/failure-columns.ts';
import { type FileUrlBuilder, outputOf } from '../status/status-event.ts';
import { createJobStarter, type StartResponse, type StartServices } from './job-starter.ts';

/** Time limit for starting the items of a batch: a slow database must not delay the caller once per item. */
const BATCH_TIMEOUT_MS = 30_000;

/**
 * Adds the route that starts many jobs with one call. Items are started one after the other, like single calls and
 * under the same limits. The response contains a result for each item. The call itself fails only if its body is not a
 * batch.
 */
export function addBatchRoute(app: FastifyInstance, services: StartServices, linkTo: FileUrlBuilder): void {
  const starter = createJobStarter(services);

  async function startItem(item: unknown, request: FastifyRequest): Promise<StartResponse> {
    const origin = parseBatchItem(item);
    const client = request.clientNetworks;
    if ('cacheId' in origin)
      return await (await starter.fromCache(origin.cacheId, client)).start(requestOriginOf(request));
    if ('executionUrl' in origin) {
      const link = parseExecutionUrl(origin.executionUrl);
      const startItem =
        'order' in link ? starter.fromOrder(link.order, client) : await starter.fromCache(link.cacheId, client);
      return await startItem.start(requestOriginOf(request));
    }
    const account = await authenticateRender(request.headers, services.keys);
    noteAccess(request, { keyId: account.id, plan: account.plan.name });
    if (Buffer.byteLength(JSON.stringify(item)) > jobLimits.bodySize)
      throw bodyTooLargeError('job description', jobLimits.bodySize);
    return await starter.fromDescription(account, parseJob(origin.description)).start(requestOriginOf(request));
  }

  addRoute(app, renderRoutes.startJobs, async (request, reply) => {
    const disconnected = disconnectSignal(reply);
    const deadline = performance.now() + BATCH_TIMEOUT_MS;
    const results: BatchResult[] = [];
    for (const item of request.body) {
      // An item that is refused waits for nothing else.
      await nextSlice(disconnected);
      const starting = performance.now() < deadline ? startItem(item, request) : Promise.reject(batchTimeoutError());
      results.push(
        await starting.then(
          (result) => toStartedItem(result, linkTo),
          (error: unknown) => toRefusedItem(error, request),
        ),
      );
    }
    reply.header('cache-control', 'no-store');
    return { results };
  });
}

function toStartedItem({ statusCode, body, finishedJob }: StartResponse, linkTo: FileUrlBuilder): BatchResult {
  if (finishedJob === undefined) return { statusCode, body, output: null, ...noFailure };
  return { statusCode, body, output: outputOf(finishedJob, linkTo), ...failureFromColumns(finishedJob) };
}

function toRefusedItem(cause: unknown, request: FastifyRequest): BatchResult {
  const error = toMillraceError(cause);
  if (error.origin === 'service') request.log.error({ err: cause }, 'an item of a batch failed');
  const retryAfter = retryAfterOf(error);
  return {
    statusCode: error.status,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    body: failureBody(error, request.id),
    output: null,
    ...jobFailure(error),
  };
}

function batchTimeoutError(): MillraceError {
  return new MillraceError(
    'service_unavailable',
    'The service was too slow to start this job in time. Start it again.',
  );
}
