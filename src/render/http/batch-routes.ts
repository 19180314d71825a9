import type { FastifyInstance, FastifyRequest } from 'fastify';
import { authenticateRender } from '../../accounts/authenticate.ts';
import { type BatchResult, parseBatchItem } from '../../contract/batch.ts';
import { failureBody, retryAfterOf } from '../../contract/envelope.ts';
import { MillraceError, toMillraceError } from '../../contract/errors.ts';
import { jobLimits } from '../../contract/job.ts';
import { jobFailure, noFailure } from '../../contract/job-failure.ts';
import { parseJob } from '../../contract/parse-job.ts';
import { renderRoutes } from '../../contract/render-api/routes.ts';
import { addRoute } from '../../http/add-route.ts';
import { disconnectSignal } from '../../http/disconnected.ts';
import { parseExecutionUrl } from '../jobs/execution-url.ts';
import { failureFromColumns } from '../jobs/failure-columns.ts';
import { type LinkMaker, outputOf } from '../status/status-event.ts';
import { createStarts, type StartResult, type StartServices } from './starts.ts';

/** Time to start the items of a batch: a slow database must not delay the caller once for each. */
const BATCH_MS = 30_000;

/**
 * Adds starting many jobs with one call. Each is started as if it were alone, one after the other, under the same limits.
 * The response has a result for each; the call itself fails only if its body is not a batch.
 */
export function addBatchRoute(app: FastifyInstance, services: StartServices, linkTo: LinkMaker): void {
  const starts = createStarts(services);

  async function start(item: unknown, headers: FastifyRequest['headers']): Promise<StartResult> {
    const origin = parseBatchItem(item);
    if ('cacheId' in origin) return await (await starts.fromCache(origin.cacheId)).begin();
    if ('executionUrl' in origin) {
      const link = parseExecutionUrl(origin.executionUrl);
      const start = 'order' in link ? starts.fromOrder(link.order) : await starts.fromCache(link.cacheId);
      return await start.begin();
    }
    const account = await authenticateRender(headers, services.keys);
    if (Buffer.byteLength(JSON.stringify(item)) > jobLimits.bodySize) throw tooLarge();
    return await starts.fromDescription(account, parseJob(origin.description)).begin();
  }

  addRoute(app, renderRoutes.startJobs, async (request, reply) => {
    const disconnected = disconnectSignal(reply);
    const deadline = performance.now() + BATCH_MS;
    const results: BatchResult[] = [];
    for (const item of request.body) {
      disconnected.throwIfAborted();
      const starting = performance.now() < deadline ? start(item, request.headers) : Promise.reject(tooLate());
      results.push(
        await starting.then(
          (begun) => startedResult(begun, linkTo),
          (thrown: unknown) => refusedResult(thrown, request),
        ),
      );
    }
    reply.header('cache-control', 'no-store');
    return { results };
  });
}

function startedResult({ statusCode, body, over }: StartResult, linkTo: LinkMaker): BatchResult {
  if (over === undefined) return { statusCode, body, output: null, ...noFailure };
  return { statusCode, body, output: outputOf(over, linkTo), ...failureFromColumns(over) };
}

function refusedResult(thrown: unknown, request: FastifyRequest): BatchResult {
  const error = toMillraceError(thrown);
  if (error.origin === 'service') request.log.error({ err: thrown }, 'an item of a batch failed');
  const retryAfter = retryAfterOf(error);
  return {
    statusCode: error.status,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    body: failureBody(error),
    output: null,
    ...jobFailure(error),
  };
}

function tooLarge(): MillraceError {
  return new MillraceError('body_too_large', `The job description is larger than ${jobLimits.bodySize / 1024} KiB.`);
}

function tooLate(): MillraceError {
  return new MillraceError('service_unavailable', 'The service was too slow to begin with this one. Start it again.');
}
