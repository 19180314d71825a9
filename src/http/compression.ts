import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { COMPRESSION_THRESHOLD_BYTES, codingFor, encode } from './content-coding.ts';
import { shrinkResponse } from './response-memory.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False if the bytes of responses must not change, or if they are compressed already. */
    compress?: false;
  }
}

/**
 * Responses that are compressed at once, each with about a megabyte of memory. More would wait for threads anyway, which
 * files and name lookups need as well.
 */
const MAX_CONCURRENT = 16;
const QUALITY = 4;
const compressibleType = /^(?:application\/json|text\/html)(?:;|$)/;

/**
 * Makes a server compress texts that it makes for one response, in threads. Beyond 16 at once, responses are sent
 * uncompressed. What many responses share is a {@link cacheableDocument}.
 *
 * @param compress Returns the bytes in a coding.
 */
export function addCompression(app: FastifyInstance, compress: typeof encode = encode): void {
  let running = 0;
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isCompressible(request, reply, payload)) {
      done(null, payload);
      return;
    }
    addVary(reply);
    const coding = codingFor(request);
    if (coding === 'plain' || running >= MAX_CONCURRENT) {
      done(null, payload);
      return;
    }
    running += 1;
    const plain = typeof payload === 'string' ? Buffer.from(payload) : payload;
    compress(plain, coding, QUALITY)
      .finally(() => {
        running -= 1;
      })
      .then((bytes) => {
        shrinkResponse(request, plain.length, bytes.length);
        reply.headers({ 'content-encoding': coding, 'content-length': bytes.length });
        done(null, bytes);
      }, done);
  });
}

function isCompressible(
  { routeOptions }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): payload is string | Buffer {
  return (
    (typeof payload === 'string' || Buffer.isBuffer(payload)) &&
    Buffer.byteLength(payload) >= COMPRESSION_THRESHOLD_BYTES &&
    routeOptions.config?.compress !== false &&
    compressibleType.test(String(reply.getHeader('content-type') ?? '')) &&
    !reply.hasHeader('content-encoding') &&
    reply.statusCode !== 206
  );
}

/** States that the response depends on the codings that the client accepts, also if it is sent uncompressed. */
function addVary(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`);
}
