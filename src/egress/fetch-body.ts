import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { MillraceError } from '../contract/errors.ts';
import { validUrl } from '../contract/parse-url.ts';
import { contentCodingOf } from './content-coding.ts';
import type { Egress, EgressRequest, ResponseHead } from './egress.ts';

/** A complete response in memory. */
export interface BufferedResponse extends ResponseHead {
  readonly body: Buffer;
}

/** Initial buffer for a response of unknown length. */
const FIRST_BYTES = 64 * 1024;

/**
 * Fetches a complete response and decodes its content coding.
 *
 * @throws MillraceError as {@link Egress.exchange}, or `invalid_response_data` for a body over `maxBytes`, either
 * encoded or decoded.
 */
export async function fetchBody(egress: Egress, request: EgressRequest, maxBytes: number): Promise<BufferedResponse> {
  let body = Buffer.alloc(0);
  let size = 0;
  const head = await egress.exchange(request, ({ url, headers }) => {
    const contentLength = Number(headers['content-length'] ?? 0);
    if (contentLength > maxBytes) throw tooLarge(url, maxBytes);
    body = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(contentLength || 0, FIRST_BYTES)));
    return {
      write(chunk) {
        if (size + chunk.length > maxBytes) throw tooLarge(url, maxBytes);
        if (size + chunk.length > body.length) body = grow(body, size + chunk.length, maxBytes);
        size += chunk.copy(body, size);
        return undefined;
      },
    };
  });
  return { ...head, body: await decode(body.subarray(0, size), head, maxBytes) };
}

/** Returns a larger copy of the buffer. Chunks are copied, not kept, because a source may send one byte in each. */
function grow(body: Buffer, minimum: number, limit: number): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafe(Math.min(limit, Math.max(minimum, 2 * body.length)));
  body.copy(larger);
  return larger;
}

const decoders = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

async function decode(body: Buffer, { headers, url }: ResponseHead, maxBytes: number): Promise<Buffer> {
  const coding = contentCodingOf(headers);
  if (coding === undefined || body.length === 0) return body;
  const decoder = decoders[coding as keyof typeof decoders];
  if (decoder === undefined) throw undecodable(url, `its content coding ${coding.slice(0, 40)} is not supported`);
  try {
    return await decoder(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(url, maxBytes, error);
    throw undecodable(url, `its ${coding} coding is invalid`, error);
  }
}

function tooLarge(url: string, maxBytes: number, cause?: unknown): MillraceError {
  const message = `The response from ${validUrl(url).host} is larger than the maximum of ${maxBytes} bytes.`;
  return new MillraceError('invalid_response_data', message, { cause });
}

function undecodable(url: string, why: string, cause?: unknown): MillraceError {
  return new MillraceError('invalid_response_data', `The response from ${validUrl(url).host} cannot be read: ${why}.`, {
    cause,
  });
}
