import { setTimeout as delay } from 'node:timers/promises';
import { type Exchange, sendText } from '../http/exchange.ts';
import { hang, sendBody } from './body.ts';
import type { Content } from './content.ts';
import { FaultError, type Faults, parseFaults } from './faults.ts';
import { type ByteRange, parseQueryRange, parseRange } from './range.ts';
import type { Tokens } from './tokens.ts';
import { judge } from './verdict.ts';

/** Serves content with whatever faults its link asks for. */
export type SendContent = (exchange: Exchange, content: Content) => Promise<void>;

/** Makes the sender that all CDN hosts share. */
export function createSender(tokens: Tokens): SendContent {
  return async (exchange, content) => {
    const { url, request, response, entry } = exchange;
    const wanted = wantedPart(exchange, content);
    if (wanted === 'malformed') return sendText(exchange, 400, 'The query range must be first-last.\n');
    const faults = faultsOf(exchange);
    if (faults === undefined) return;

    const token = url.searchParams.get('token') ?? url.href;
    const { age } = tokens.touch(token);
    const history = tokens.touch(`${token} ${url.pathname}`);
    if (faults.latency !== undefined) await delay(faults.latency, undefined, { signal: exchange.gone });
    const range = wanted === 'unsatisfiable' ? undefined : wanted.range;
    const verdict = judge(faults, { url, range, number: history.requests, age });
    if (verdict.do === 'hang') return hang(exchange);
    if (verdict.do === 'refuse') return sendText(exchange, verdict.status, `Refused with ${verdict.status}.\n`);
    if (verdict.do === 'redirect') return sendText(exchange, verdict.status, '', { location: verdict.location });
    if (wanted === 'unsatisfiable' && !faults.noRanges) {
      return sendText(exchange, 416, 'There are no such bytes.\n', { 'content-range': `bytes */${content.size}` });
    }

    const part = faults.noRanges || range === undefined ? { first: 0, last: content.size - 1 } : range;
    const partial = range !== undefined && !faults.noRanges && !url.searchParams.has('range');
    const length = part.last - part.first + 1;
    entry.status = partial ? 206 : 200;
    response.writeHead(entry.status, {
      'content-type': content.type,
      'content-length': Math.max(0, length + (faults.length ?? 0)),
      etag: content.etag,
      'access-control-allow-origin': '*',
      ...(faults.noRanges ? {} : { 'accept-ranges': 'bytes' }),
      ...(partial ? { 'content-range': `bytes ${part.first}-${part.last}/${content.size}` } : {}),
    });
    if (request.method === 'HEAD') {
      entry.complete = true;
      response.end();
      return;
    }
    await sendBody(exchange, content, part, faults, history);
  };
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

/** Reads the faults; answers 400 itself where one is wrong, since that is a mistake of the test that asked. */
function faultsOf(exchange: Exchange): Faults | undefined {
  try {
    return parseFaults(exchange.url.searchParams);
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    sendText(exchange, 400, `${error.message}\n`);
    return undefined;
  }
}
