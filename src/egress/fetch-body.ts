import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { MillraceError } from '../contract/errors.ts';
import type { Egress, EgressRequest, ResponseHead } from './egress.ts';

/** A whole answer in memory. */
export interface WholeResponse extends ResponseHead {
  readonly body: Buffer;
}

/**
 * Fetches an answer whole, with its content coding undone.
 *
 * @throws MillraceError as {@link Egress.exchange}, or `invalid_response_data` for a body over `maxBytes`, coded or not.
 */
export async function fetchBody(egress: Egress, request: EgressRequest, maxBytes: number): Promise<WholeResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  const head = await egress.exchange(request, ({ url }) => ({
    write(chunk) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(url, maxBytes);
      chunks.push(chunk);
      return undefined;
    },
  }));
  return { ...head, body: await decode(Buffer.concat(chunks), head, maxBytes) };
}

const decoders = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

async function decode(body: Buffer, { headers, url }: ResponseHead, maxBytes: number): Promise<Buffer> {
  const coding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
  if (coding === 'identity' || body.length === 0) return body;
  const decoder = decoders[coding as keyof typeof decoders];
  if (decoder === undefined) throw undecodable(url, `it is coded as ${coding.slice(0, 40)}`);
  try {
    return await decoder(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(url, maxBytes, error);
    throw undecodable(url, `its ${coding} coding is broken`, error);
  }
}

function tooLarge(url: string, maxBytes: number, cause?: unknown): MillraceError {
  const message = `The answer of ${new URL(url).host} is larger than the ${maxBytes} bytes allowed for it.`;
  return new MillraceError('invalid_response_data', message, { cause });
}

function undecodable(url: string, why: string, cause?: unknown): MillraceError {
  return new MillraceError('invalid_response_data', `The answer of ${new URL(url).host} cannot be read: ${why}.`, {
    cause,
  });
}
