import type { OutgoingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Exchange, sendText } from '../http/exchange.ts';
import { hang, sendBody } from './body.ts';
import type { Content } from './content.ts';
import { disguise, endlessContent } from './disguise.ts';
import { type Faults, parseFaults } from './faults.ts';
import type { Gate, Gates } from './gates.ts';
import { type ByteRange, parseQueryRange, parseRange, shiftRange } from './range.ts';
import { linkToken, type TokenHistory, type Tokens } from './tokens.ts';
import { judge } from './verdict.ts';

/**
 * Serves content with the faults of its link.
 *
 * @throws FaultError when a fault has an invalid value.
 */
export type SendContent = (exchange: Exchange, content: Content) => Promise<void>;

/** Content-Length of an endless body: a pebibyte. */
const endlessLength = 2 ** 50;

/** Makes the sender that all CDN hosts share. */
export function createSender(tokens: Tokens, gates: Gates): SendContent {
  return async (exchange, content) => {
    const { url } = exchange;
    const token = linkToken(url);
    const { age } = tokens.touch(token);
    const history = tokens.touch(`${token} ${url.pathname}`);
    const faults = parseFaults(url.searchParams);
    // Links without these faults have no gate: only a limited number is kept.
    const gate = faults.gate || faults.slowAfter !== undefined ? gates.of(token) : undefined;
    if (faults.gate) await gate?.wait(exchange.disconnected);
    await sendWith(exchange, await disguise(content, faults, history.requests), faults, { history, age, gate });
  };
}

async function sendWith(
  exchange: Exchange,
  content: Content,
  faults: Faults,
  { history, age, gate }: { readonly history: TokenHistory; readonly age: number; readonly gate: Gate | undefined },
): Promise<void> {
  const { url, request, response, entry, link } = exchange;
  const requestedPart = wantedPart(exchange, content);
  if (requestedPart === 'malformed') return sendText(exchange, 400, 'The query range must be first-last.\n');
  if (faults.latency !== undefined) await delay(faults.latency, undefined, { signal: exchange.disconnected });
  const range = requestedPart === 'unsatisfiable' ? undefined : requestedPart.range;
  if (link?.allowed(range?.first ?? 0, 1) === 0) return sendText(exchange, 403, 'Forbidden.\n');
  const verdict = judge(faults, { url, range, number: history.requests, age });
  if (verdict.do === 'hang') return hang(exchange);
  if (verdict.do === 'refuse') {
    const { status, retryAfter } = verdict;
    const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
    return sendText(exchange, status, `Refused with ${status}.\n`, headers);
  }
  if (verdict.do === 'redirect') return sendText(exchange, verdict.status, '', { location: verdict.location });
  if (requestedPart === 'unsatisfiable' && !faults.noRanges) {
    return sendText(exchange, 416, 'The range does not exist.\n', { 'content-range': `bytes */${content.size}` });
  }

  const ranges = !faults.noRanges && Number.isFinite(content.size);
  const requestedRange = ranges ? range : undefined;
  const partial = requestedRange !== undefined && !url.searchParams.has('range');
  const part = partOf(content, requestedRange, faults);
  entry.status = partial ? 206 : 200;
  response.writeHead(entry.status, {
    'content-type': content.type,
    ...lengthHeader(part, faults),
    etag: faults.tags === undefined ? content.etag : `"${history.requests}"`,
    'access-control-allow-origin': '*',
    ...(content.encoding === undefined ? {} : { 'content-encoding': content.encoding }),
    ...(ranges ? { 'accept-ranges': 'bytes' } : {}),
    ...(partial
      ? { 'content-range': `bytes ${part.first}-${part.last}/${faults.rangeTotal === undefined ? content.size : '*'}` }
      : {}),
  });
  if (request.method === 'HEAD') {
    entry.complete = true;
    response.end();
    return;
  }
  if (faults.endless === undefined) return sendBody(exchange, content, part, faults, { history, gate });
  const endless = { first: part.first, last: Number.POSITIVE_INFINITY };
  return sendBody(exchange, endlessContent(content), endless, faults, { history, gate });
}

function partOf(
  { size }: Content,
  requestedRange: ByteRange | undefined,
  { wrongRange, rangeLimit = Number.POSITIVE_INFINITY }: Faults,
): ByteRange {
  if (requestedRange === undefined) return { first: 0, last: size - 1 };
  const { first, last } = wrongRange ? shiftRange(requestedRange, size) : requestedRange;
  return { first, last: Math.min(last, first + rangeLimit - 1) };
}

function lengthHeader({ first, last }: ByteRange, { endless, length, noLength }: Faults): OutgoingHttpHeaders {
  const body = endless === 'length' ? endlessLength : last - first + 1;
  if (noLength || endless === '1' || !Number.isFinite(body)) return {};
  return { 'content-length': Math.max(0, body + (length ?? 0)) };
}

function wantedPart(
  { url, request }: Exchange,
  { size, etag }: Content,
): { readonly range: ByteRange | undefined } | 'unsatisfiable' | 'malformed' {
  const query = url.searchParams.get('range');
  const condition = request.headers['if-range'];
  const header = condition === undefined || condition === etag ? request.headers.range : undefined;
  const range = query === null ? parseRange(header, size) : parseQueryRange(query, size);
  if (range === 'unsatisfiable' || range === 'malformed') return range;
  return { range: range === 'whole' ? undefined : range };
}
