import type { RecordedExchange } from './recorded-exchange.ts';

/**
 * Cuts the response's body after a number of bytes, and adds a mark to a body that was cut.
 *
 * @param change Changes the exchange before the cut, which it receives with little more than the bytes that stay.
 */
export function cutExchange(
  exchange: RecordedExchange,
  maxBytes: number,
  change: (exchange: RecordedExchange) => RecordedExchange,
): RecordedExchange {
  const { body } = exchange.response;
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  if (bytes.length <= maxBytes) return change(exchange);
  // A secret at the end is changed as a whole, although its end is cut off.
  const changed = change(withBody(exchange, bytes.subarray(0, maxBytes + 1_000).toString()));
  const kept = Buffer.from(String(changed.response.body)).subarray(0, maxBytes).toString();
  return withBody(changed, `${kept}\n[Cut by Millrace: ${bytes.length} bytes]`);
}

function withBody(exchange: RecordedExchange, body: string): RecordedExchange {
  return { ...exchange, response: { ...exchange.response, body } };
}
