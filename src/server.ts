import cors from '@fastify/cors';
import websocket from '@fastify/websocket';
import Fastify, { type FastifyBaseLogger, type FastifyError, type FastifyInstance, LogController } from 'fastify';
import { errorBody } from './contract/envelope.ts';
import { MillraceError, toMillraceError } from './contract/errors.ts';
import { jobLimits } from './contract/job.ts';

const MAX_URL_LENGTH = 8_192;
/** Above the longest URL, so that one too long is answered by us and not by the HTTP parser. */
const MAX_HEAD_BYTES = 65_536;
const MAX_MESSAGE_BYTES = 1_024;
const REQUEST_TIMEOUT_MS = 30_000;
const RETRY_AFTER_S = 5;

/** Makes the HTTP server that callers talk to. Routes are added by their owners. */
export async function createServer(log: FastifyBaseLogger): Promise<FastifyInstance> {
  const app = newServer(log);
  await app.register(cors, {
    origin: '*',
    exposedHeaders: [
      'Age',
      'Retry-After',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'Accept-Ranges',
      'Content-Range',
      'ETag',
    ],
    maxAge: 86_400,
  });
  await app.register(websocket, { options: { maxPayload: MAX_MESSAGE_BYTES } });
  return addBoundsAndErrors(app);
}

/** Makes an HTTP server that pages of other sites cannot read: its bounds, and one way of telling errors. */
export function createBareServer(log: FastifyBaseLogger): FastifyInstance {
  return addBoundsAndErrors(newServer(log));
}

function newServer(log: FastifyBaseLogger): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    // Sealed URLs are credentials, and URLs reach the request log.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: jobLimits.bodySize,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: MAX_URL_LENGTH },
    http: { maxHeaderSize: MAX_HEAD_BYTES },
    forceCloseConnections: true,
  });
  app.removeContentTypeParser('text/plain');
  return app;
}

function addBoundsAndErrors(app: FastifyInstance): FastifyInstance {
  app.addHook('onRequest', async (request) => {
    if (request.url.length > MAX_URL_LENGTH) {
      throw new MillraceError('invalid_params', `The URL is longer than ${MAX_URL_LENGTH} characters.`, {
        status: 414,
      });
    }
  });
  app.setErrorHandler((thrown, request, reply) => {
    const error = fromFramework(thrown) ?? toMillraceError(thrown);
    if (error.origin === 'service') request.log.error({ err: thrown }, 'a request failed');
    if (error.code === 'rate_limited') reply.header('retry-after', error.retryAfter ?? RETRY_AFTER_S);
    return reply.code(error.status).send(inShape(error, request.url));
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0];
    const error = new MillraceError('not_found', `There is nothing at ${request.method} ${path}.`, { status: 404 });
    return reply.code(404).send(inShape(error, request.url));
  });
  return app;
}

/** The extraction API answers in its envelope, errors too. */
function inShape(error: MillraceError, url: string) {
  const fields = error.fields === undefined ? {} : { fields: error.fields };
  const body = { error: { ...errorBody(error), ...fields } };
  return /^\/(?:api|files|admin)\//.test(url) ? body : { ...body, metadata: {} };
}

/** Errors that the framework throws before a route is reached. */
function fromFramework(thrown: unknown): MillraceError | undefined {
  if (!(thrown instanceof Error) || !('statusCode' in thrown)) return undefined;
  const { statusCode = 500, code } = thrown as FastifyError;
  if (statusCode === 413) {
    const limit = `${jobLimits.bodySize / 1024} KiB`;
    return new MillraceError('body_too_large', `The body is larger than ${limit}.`, { cause: thrown });
  }
  if (statusCode === 415) {
    const message = 'Send the body as JSON, with Content-Type: application/json.';
    return new MillraceError('invalid_body', message, { cause: thrown, status: 415, fields: [{ path: '', message }] });
  }
  if (statusCode >= 500) return undefined;
  const inBody = code?.startsWith('FST_ERR_CTP') || thrown instanceof SyntaxError;
  const message = inBody ? `The body is not valid JSON: ${thrown.message}` : thrown.message;
  return new MillraceError(inBody ? 'invalid_body' : 'invalid_params', message, {
    cause: thrown,
    status: statusCode,
    ...(inBody ? { fields: [{ path: '', message }] } : {}),
  });
}
