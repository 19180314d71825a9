import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { loadOnce } from '../waiting/load-once.ts';
import { COMPRESSION_THRESHOLD_BYTES, type ContentCoding, codingFor, encode } from './content-coding.ts';

const MAX_AGE_S = 300;
const QUALITY = 9;

/** A document with the headers of its response. */
export interface CacheableDocument {
  readonly body: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
  /** Returns the body in a coding. Absent if it is always sent unchanged. */
  readonly encoded?: (coding: ContentCoding) => Promise<Buffer>;
}

/**
 * Creates a document with its entity tag and headers. It is compressed at most once for each coding, however many
 * requests want it, so create it once and keep it. Its route must have `config: { compress: false }`.
 *
 * @param type The media type.
 * @param more Headers that are added to the usual ones or replace them.
 */
export function cacheableDocument(
  text: string,
  type: string,
  more: Readonly<Record<string, string>> = {},
): CacheableDocument {
  const body = Buffer.from(text);
  const encodings = {
    br: loadOnce(() => encode(body, 'br', QUALITY)),
    gzip: loadOnce(() => encode(body, 'gzip', QUALITY)),
    plain: async () => body,
  };
  // The tag is weak because the same document is sent both compressed and uncompressed (RFC 9110 §8.8.3).
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return {
    body,
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': `public, max-age=${MAX_AGE_S}`,
      vary: 'accept-encoding',
      etag,
      ...more,
    },
    ...(body.length < COMPRESSION_THRESHOLD_BYTES ? {} : { encoded: (coding) => encodings[coding]() }),
  };
}

/**
 * Returns a function that returns a document, and makes it again if it is older than an interval. Requests that arrive
 * together share one document, however much its making and its compression cost.
 *
 * @param interval Milliseconds.
 */
export function renewedDocument(interval: number, make: () => CacheableDocument): () => CacheableDocument {
  let latest: CacheableDocument | undefined;
  let madeAt = 0;
  return () => {
    if (latest !== undefined && performance.now() - madeAt < interval) return latest;
    madeAt = performance.now();
    latest = make();
    return latest;
  };
}

/**
 * Sends a document, or status 304 if the client already has it.
 *
 * @param more Headers of this response that are added to those of the document.
 */
export async function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, headers, encoded }: CacheableDocument,
  more: Readonly<Record<string, string>> = {},
): Promise<FastifyReply> {
  reply.headers(headers).headers(more);
  const tags = request.headers['if-none-match']?.split(',').map((tag) => tag.trim()) ?? [];
  if (tags.includes('*') || tags.includes(headers.etag ?? ''))
    return reply.removeHeader('content-type').code(304).send();
  if (encoded === undefined) return reply.send(body);
  const coding = codingFor(request);
  if (coding !== 'plain') reply.header('content-encoding', coding);
  return reply.send(await encoded(coding));
}
