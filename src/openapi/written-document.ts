import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

const MAX_AGE_S = 300;

/** A document as it is sent. */
export interface WrittenDocument {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Prepares a document to be sent; `type` is its media type, `more` are headers of its own. */
export function writeDocument(
  text: string,
  type: string,
  more: Readonly<Record<string, string>> = {},
): WrittenDocument {
  // Weak, since the same document is sent as it is and compressed (RFC 9110 §8.8.3).
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

/** Sends a document, or 304 to a caller who has it. */
export function sendDocument(request: FastifyRequest, reply: FastifyReply, { text, headers }: WrittenDocument) {
  reply.headers(headers);
  const held = request.headers['if-none-match']?.split(',').map((tag) => tag.trim()) ?? [];
  if (!held.includes('*') && !held.includes(headers.etag ?? '')) return reply.send(text);
  return reply.removeHeader('content-type').code(304).send();
}
