import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

const MAX_AGE_S = 300;

/** A text with the headers of its response. */
export interface CacheableDocument {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Creates a document with its entity tag and headers.
 *
 * @param type The media type.
 * @param more Headers that are added to the usual ones or replace them.
 */
export function cacheableDocument(
  text: string,
  type: string,
  more: Readonly<Record<string, string>> = {},
): CacheableDocument {
  // The tag is weak because the same document is sent both compressed and uncompressed (RFC 9110 §8.8.3).
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  return {
    text,
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': `public, max-age=${MAX_AGE_S}`,
      vary: 'accept-encoding',
      etag,
      ...more,
    },
  };
}

/** Sends a document, or status 304 if the client already has it. */
export function sendDocument(request: FastifyRequest, reply: FastifyReply, { text, headers }: CacheableDocument) {
  reply.headers(headers);
  const tags = request.headers['if-none-match']?.split(',').map((tag) => tag.trim()) ?? [];
  if (!tags.includes('*') && !tags.includes(headers.etag ?? '')) return reply.send(text);
  return reply.removeHeader('content-type').code(304).send();
}
