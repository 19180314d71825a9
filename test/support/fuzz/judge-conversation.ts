import type { Contract } from '../contract.ts';
import type { Conversation } from './conversations.ts';
import type { Exchange } from './exchange.ts';
import { judge, type Verdict } from './judge.ts';
import type { FuzzRequest } from './request.ts';

/**
 * Judges what a connection returned: one response for each request, in order, and nothing else, until the server
 * announces that it closes the connection. Returns undefined if it is acceptable.
 */
export function judgeConversation(
  contract: Contract,
  { requests, halfClose }: Conversation,
  { received, ended }: Exchange,
): Verdict | undefined {
  const [only, ...others] = requests;
  const isJudgedAlone = others.length === 0 && (!halfClose || only?.damaged !== undefined);
  if (only !== undefined && isJudgedAlone) return judge(contract, only, { received, ended });
  let rest = received;
  for (const request of requests) {
    const length = lengthOfResponse(rest, request.method);
    // The client has closed its side, or does not read on.
    if (length === undefined && ended !== 'timeout' && (halfClose || ended === 'enough')) return undefined;
    const isLast = length === undefined || endsConnection(rest, request.method);
    const part = isLast ? rest : rest.subarray(0, length);
    const verdict = judge(contract, request, { received: part, ended: length === undefined ? ended : 'closed' });
    if (verdict !== undefined || isLast) return verdict;
    rest = rest.subarray(length);
  }
  if (rest.length === 0) return ended === 'timeout' ? stillOpen : undefined;
  const why = `bytes after the last response: ${JSON.stringify(rest.toString('latin1', 0, 500))}`;
  return { fault: 'undocumented', why };
}

const stillOpen: Verdict = { fault: 'hang', why: 'the connection stayed open after the last response' };

/** Returns the length of the first response with the interim ones before it; undefined if it is not complete. */
export function lengthOfResponse(bytes: Buffer, method: FuzzRequest['method']): number | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const status = statusOf(head);
  const body = end + 4;
  if (status === 101) return bytes.length;
  if (status < 200) {
    const next = lengthOfResponse(bytes.subarray(body), method);
    return next === undefined ? undefined : body + next;
  }
  if (method === 'HEAD' || status === 204 || status === 304) return body;
  if (/^transfer-encoding: chunked$/im.test(head)) return endOfChunks(bytes, body);
  const [, length] = /^content-length: (\d+)$/im.exec(head) ?? [];
  // A body without a length ends with the connection.
  if (length === undefined) return bytes.length;
  return bytes.length >= body + Number(length) ? body + Number(length) : undefined;
}

function endOfChunks(bytes: Buffer, begin: number): number | undefined {
  for (let at = begin; ; ) {
    const line = bytes.indexOf('\r\n', at);
    const length = Number.parseInt(bytes.toString('latin1', at, Math.max(at, line)), 16);
    if (line < 0 || Number.isNaN(length)) return undefined;
    const end = line + 4 + length;
    if (end > bytes.length) return undefined;
    if (length === 0) return end;
    at = end;
  }
}

/** Whether nothing follows the first response: the server closes the connection, or speaks another protocol. */
function endsConnection(bytes: Buffer, method: string): boolean {
  const head = bytes.toString('latin1', 0, Math.max(0, bytes.indexOf('\r\n\r\n')));
  const status = statusOf(head);
  if (status < 200 && status !== 101) return endsConnection(bytes.subarray(head.length + 4), method);
  const hasNoBody = method === 'HEAD' || status === 204 || status === 304;
  const hasLength = hasNoBody || /^(?:content-length|transfer-encoding): /im.test(head);
  return status === 101 || /^connection: .*\bclose\b/im.test(head) || !hasLength;
}

function statusOf(head: string): number {
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? 200);
}
