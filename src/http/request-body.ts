import type { Readable } from 'node:stream';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { MillraceError } from '../contract/errors.ts';
import { invalidBody } from '../contract/schema-faults.ts';
import { nextSlice, runInTurns, runSteps } from '../waiting/steps.ts';
import { createBodyBuffers } from './body-buffers.ts';
import type { RefusalReason } from './connections/bounded-pool.ts';
import { hasPrototypeMember, structureFault, uncheckedBytes } from './json-structure.ts';

/** Bytes that a byte of a body takes: when it is complete, it is copied, becomes a text, and then values. */
const BYTES_PER_BYTE = 4;
const RETRY_AFTER_S = 5;

/**
 * Makes a server read request bodies, which are JSON. The framework's own parser would keep an object for each chunk:
 * a body of 1 MB in chunks of one byte would take 480 MB. Bodies are parsed in turns of their clients. Large ones are
 * checked before and after in turns of the event loop that no other such work uses.
 *
 * The body of a request that no route takes is not read.
 *
 * @param nextTurn Resolves when the body of a request may be parsed: in a turn of its client.
 */
export function addBodyParser(app: FastifyInstance, nextTurn: (request: FastifyRequest) => Promise<unknown>): void {
  const parseJson = app.getDefaultJsonParser('ignore', 'ignore');
  const parse = (request: FastifyRequest, text: string) =>
    new Promise<unknown>((resolve, reject) => {
      void parseJson(request, text, (error, value) => (error == null ? resolve(value) : reject(error)));
    });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    if (request.is404) return undefined;
    const body = await readBody(request, payload);
    const isLarge = body.length > uncheckedBytes;
    if (isLarge) {
      const fault = await runInTurns(structureFault(body));
      if (fault !== undefined) throw invalidBody('body', [{ path: '', message: fault }]);
    }
    await nextTurn(request);
    const value = await parse(request, body.toString());
    const members = hasPrototypeMember(value);
    if (isLarge ? await runInTurns(members) : runSteps(members)) throw new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY();
    // The value is not used in a turn in which others were checked.
    if (isLarge) await nextSlice();
    return value;
  });
}

/**
 * Reads the body of a request. Rejects with an error of the framework if the body is larger than the limit of its route
 * or has another length than the request states, or with status 400 if it does not arrive. Rejects with 429 or 503 if it
 * would exceed the memory of its client or of all.
 */
function readBody({ headers, routeOptions, memory }: FastifyRequest, payload: Readable): Promise<Buffer> {
  const limit = routeOptions.bodyLimit;
  const stated = headers['content-length'];
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  if (Number(stated) > limit) return Promise.reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
  const body = createBodyBuffers(limit);

  function onData(chunk: Buffer): void {
    const error = sizeError(body.size + chunk.length, body.capacityFor(chunk.length));
    if (error === undefined) body.add(chunk);
    else fail(error);
  }
  function sizeError(size: number, capacity: number): Error | undefined {
    if (size > limit) return new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
    const refusal = memory.resize(BYTES_PER_BYTE * capacity);
    return refusal === undefined ? undefined : memoryError(refusal);
  }
  function onEnd(): void {
    stop();
    if (stated === undefined || Number(stated) === body.size) resolve(body.join());
    else reject(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
  }
  function onError(error: Error): void {
    fail(Object.assign(error, { statusCode: 400 }));
  }
  function fail(error: Error): void {
    stop();
    body.release();
    reject(error);
  }
  function stop(): void {
    payload.off('data', onData).off('end', onEnd).off('error', onError);
  }

  // The client may have left while it was authenticated.
  if (payload.destroyed) onError(new Error('the body did not arrive'));
  else payload.on('data', onData).on('end', onEnd).on('error', onError);
  return promise;
}

function memoryError(refusal: RefusalReason): MillraceError {
  const retryAfter = RETRY_AFTER_S;
  if (refusal === 'share') {
    const message =
      'Your address sends too many large bodies at once. Complete some of the requests, or try again later.';
    return new MillraceError('rate_limited', message, { retryAfter });
  }
  const message = `This node receives as many bodies as it can. Try again in ${RETRY_AFTER_S} seconds.`;
  return new MillraceError('service_unavailable', message, { retryAfter });
}
