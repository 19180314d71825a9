import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { MillraceError } from '../contract/errors.ts';
import { validUrl } from '../contract/parse-url.ts';
import { contentCodingOf } from './content-coding.ts';
import type { BodySink, Egress, EgressRequest, ResponseHead } from './egress.ts';

/** A complete response in memory. */
export interface BufferedResponse extends ResponseHead {
  readonly body: Buffer;
}

/** Initial buffer for a response of unknown length. */
const FIRST_BYTES = 64 * 1024;

/**
 * Receives how many bytes a body is about to take in memory, each time that it changes. May throw, which ends the fetch.
 */
export type HoldBytes = (bytes: number) => void;

/**
 * Fetches a complete response and decodes its content coding.
 *
 * @param hold Can limit the memory of several bodies together.
 * @throws MillraceError as {@link Egress.exchange}, or `invalid_response_data` for a body over `maxBytes`, either
 * encoded or decoded; what `hold` throws.
 */
export async function fetchBody(
  egress: Egress,
  request: EgressRequest,
  maxBytes: number,
  hold: HoldBytes = () => undefined,
): Promise<BufferedResponse> {
  let body: GrowingBody | undefined;
  const head = await egress.exchange(request, ({ url, headers }) => {
    const contentLength = Number(headers['content-length'] ?? 0);
    if (contentLength > maxBytes) throw tooLarge(url, maxBytes);
    const write = growingBody(contentLength || 0, maxBytes, url, hold);
    body = write;
    return write;
  });
  return { ...head, body: await decode(body?.bytes() ?? Buffer.alloc(0), head, maxBytes, hold) };
}

/** A body of unknown length. */
interface GrowingBody extends BodySink {
  write(chunk: Buffer): undefined;
  bytes(): Buffer;
}

function growingBody(expectedBytes: number, maxBytes: number, url: string, hold: HoldBytes): GrowingBody {
  const first = Math.min(maxBytes, Math.max(expectedBytes, FIRST_BYTES));
  hold(first);
  let body = Buffer.from(new ArrayBuffer(first));
  let size = 0;
  return {
    // Chunks are copied, not kept, because a source may send one byte in each.
    write(chunk) {
      const needed = size + chunk.length;
      if (needed > maxBytes) throw tooLarge(url, maxBytes);
      if (needed > body.length) {
        const length = Math.min(maxBytes, Math.max(needed, 2 * body.length));
        hold(length);
        // The former bytes are released at once, not when garbage is collected.
        body = Buffer.from(body.buffer.transfer(length));
      }
      size += chunk.copy(body, size);
      return undefined;
    },
    bytes: () => body.subarray(0, size),
  };
}

const decoders = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const;

async function decode(encoded: Buffer, head: ResponseHead, maxBytes: number, hold: HoldBytes): Promise<Buffer> {
  const { headers, url } = head;
  const coding = contentCodingOf(headers);
  if (coding === undefined || encoded.length === 0) return encoded;
  const createDecoder = decoders[coding as keyof typeof decoders];
  if (createDecoder === undefined) throw undecodable(url, `its content coding ${coding.slice(0, 40)} is not supported`);
  const body = growingBody(0, maxBytes, url, (bytes) => hold(encoded.length + bytes));
  const decoder = createDecoder();
  decoder.end(encoded);
  try {
    for await (const chunk of decoder) body.write(chunk);
  } catch (error) {
    if (error instanceof MillraceError) throw error;
    throw undecodable(url, `its ${coding} coding is invalid`, error);
  }
  return body.bytes();
}

function tooLarge(url: string, maxBytes: number): MillraceError {
  const message = `The response from ${validUrl(url).host} is larger than the maximum of ${maxBytes} bytes.`;
  return new MillraceError('invalid_response_data', message);
}

function undecodable(url: string, why: string, cause?: unknown): MillraceError {
  return new MillraceError('invalid_response_data', `The response from ${validUrl(url).host} cannot be read: ${why}.`, {
    cause,
  });
}
