import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { cutExchange } from './cut-exchange.ts';
import type { RecordedExchange } from './recorded-exchange.ts';

/** Maximum size of a response's body in bytes before it is compressed, because scrubbing blocks other requests. */
const MAX_BODY_BYTES = 1_500_000;

/** An exchange as compressed JSON. */
export interface PackedExchange {
  readonly packed: Buffer;
  /** Bytes of the JSON. */
  readonly size: number;
}

/**
 * Compresses an exchange. Its body is cut, with a mark, if it would need more than `maxBytes`.
 *
 * @param scrub Removes the secrets of the exchange.
 */
export async function packExchange(
  exchange: RecordedExchange,
  maxBytes: number,
  scrub: (exchange: RecordedExchange) => RecordedExchange,
): Promise<PackedExchange> {
  for (let bodyBytes = MAX_BODY_BYTES; ; bodyBytes = Math.floor(bodyBytes / 2)) {
    const json = Buffer.from(JSON.stringify(cutExchange(exchange, bodyBytes, scrub)));
    const packed = await promisify(gzip)(json);
    if (packed.length <= maxBytes || bodyBytes === 0) return { packed, size: json.length };
  }
}

/** Returns a compressed exchange. */
export async function unpackExchange({ packed }: PackedExchange): Promise<RecordedExchange> {
  return JSON.parse((await promisify(gunzip)(packed)).toString());
}
