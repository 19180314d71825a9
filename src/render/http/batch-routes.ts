import type { FastifyInstance, FastifyRequest } from 'fastify';
import { authenticateRender } from '../../accounts/authenticate.ts';
import { type BatchResponse, type BatchResult, batchLimits, parseBatch, parseBatchItem } from '../../contract/batch.ts';
import { failureBody, retryAfterOf } from '../../contract/envelope.ts';
import { MillraceError, toMillraceError } from '../../contract/errors.ts';
import { jobLimits } from '../../contract/job.ts';
import { jobFailure, noFailure } from '../../contract/job-failure.ts';
import { untilGone } from '../../http/disconnected.ts';
import { readExecutionUrl } from '../jobs/execution-url.ts';
import { storedFailure } from '../jobs/stored-failure.ts';
import { wantsPreview } from '../preview/wants-preview.ts';
import { type LinkMaker, outputOf } from '../status/status-event.ts';
import { createStarts, type StartAnswer, type StartServices } from './starts.ts';

/** Items of a batch are begun for as long: a database that is slow must not hold a caller for each of them. */
const BATCH_MS = 30_000;

/**
 * Adds starting many jobs by one call. Each is started as if it came alone, one after the other, under the same limits;
 * the batch tells how each fared, and fails as a whole only where it is none.
 */
export function addBatchRoute(app: FastifyInstance, services: StartServices, linkTo: LinkMaker): void {
  const starts = createStarts(services);

  async function start(item: unknown, headers: FastifyRequest['headers']): Promise<StartAnswer> {
    const origin = parseBatchItem(item);
    if ('cacheId' in origin) return await (await starts.stored(origin.cacheId)).begin();
    if ('executionUrl' in origin) {
      const link = readExecutionUrl(origin.executionUrl);
      const start = 'order' in link ? starts.sealed(link.order) : await starts.stored(link.cacheId);
      return await start.begin();
    }
    const account = await authenticateRender(headers, services.keys);
    if (Buffer.byteLength(JSON.stringify(item)) > jobLimits.bodySize) throw tooLarge();
    return await starts.described(account, origin.description).begin();
  }

  app.post(
    '/api/v1/render/batch',
    { bodyLimit: batchLimits.bodySize },
    async (request, reply): Promise<BatchResponse> => {
      if (wantsPreview(request.query)) {
        throw new MillraceError('invalid_params', 'A batch is not planned: ask for the plan of each job.');
      }
      const left = untilGone(reply);
      const last = performance.now() + BATCH_MS;
      const results: BatchResult[] = [];
      for (const item of parseBatch(request.body)) {
        left.throwIfAborted();
        const started = performance.now() < last ? start(item, request.headers) : Promise.reject(tooLate());
        results.push(
          await started.then(
            (answer) => began(answer, linkTo),
            (thrown: unknown) => failed(thrown, request),
          ),
        );
      }
      reply.header('cache-control', 'no-store');
      return { results };
    },
  );
}

function began({ statusCode, body, over }: StartAnswer, linkTo: LinkMaker): BatchResult {
  if (over === undefined) return { statusCode, body, output: null, ...noFailure };
  return { statusCode, body, output: outputOf(over, linkTo), ...storedFailure(over) };
}

function failed(thrown: unknown, request: FastifyRequest): BatchResult {
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
