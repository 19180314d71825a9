import type { Readable } from 'node:stream';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { invalidBody } from '../contract/schema-faults.ts';
import { nextSlice, runInTurns, runSteps } from '../waiting/steps.ts';
import { hasPrototypeMember, structureFault, uncheckedBytes } from './json-structure.ts';

/** Initial buffer for a body. It grows as the body arrives, whatever length the request states. */
const FIRST_BYTES = 4 * 1024;

/**
 * Makes a server read request bodies, which are JSON. The framework's own parser would keep an object for each chunk:
 * a body of 1 MB in chunks of one byte would take 480 MB. Large bodies are checked and parsed in turns of the event loop
 * that no other such work uses.
 *
 * The body of a request that no route takes is not read.
 */
export function addBodyParser(app: FastifyInstance): void {
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
      await nextSlice();
    }
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
 * or has another length than the request states, or with status 400 if it does not arrive.
 */
function readBody({ headers, routeOptions }: FastifyRequest, payload: Readable): Promise<Buffer> {
  const limit = routeOptions.bodyLimit;
  const stated = headers['content-length'];
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  if (Number(stated) > limit) return Promise.reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
  let body = Buffer.allocUnsafe(Math.min(limit, FIRST_BYTES));
  let size = 0;

  function onData(chunk: Buffer): void {
    if (size + chunk.length > limit) {
      reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
      stop();
      return;
    }
    if (size + chunk.length > body.length) body = grow(body, size + chunk.length, limit);
    size += chunk.copy(body, size);
  }
  function onEnd(): void {
    stop();
    if (stated === undefined || Number(stated) === size) resolve(body.subarray(0, size));
    else reject(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
  }
  function onError(error: Error): void {
    stop();
    reject(Object.assign(error, { statusCode: 400 }));
  }
  function stop(): void {
    payload.off('data', onData).off('end', onEnd).off('error', onError);
  }

  payload.on('data', onData).on('end', onEnd).on('error', onError);
  return promise;
}

/** Returns a larger copy of the buffer. Chunks are copied, not kept, because a client may send one byte in each. */
function grow(body: Buffer, minimum: number, limit: number): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafe(Math.min(limit, Math.max(minimum, 2 * body.length)));
  body.copy(larger);
  return larger;
}
