import { type Contract, pathOf } from '../contract.ts';
import { parseResponse, type RawResponse } from '../raw-response.ts';
import type { Exchange } from './exchange.ts';
import type { FuzzRequest } from './request.ts';

/** Kinds of unacceptable behaviour. */
export type Fault = 'server error' | 'undocumented' | 'hang' | 'dropped';

/** The fault of a response. */
export interface Verdict {
  readonly fault: Fault;
  /** The received response, and the rule that it breaks. */
  readonly why: string;
}

/** Maximum length of an error message: input is not echoed without a limit. */
const LONGEST_MESSAGE = 2_000;
/** Paths that report with status 503 that the database or the storage responds too slowly, as on a busy machine. */
const healthPaths = /^\/health(?:\/ready)?$/;
/** Files of the web page, which are not part of the API or its document. */
const pagePaths = /^\/assets\//;

/** Judges the response to a request. Returns undefined if it is acceptable. */
export function judge(contract: Contract, request: FuzzRequest, { received, ended }: Exchange): Verdict | undefined {
  if (ended === 'timeout') return { fault: 'hang', why: `no complete response in time; received ${start(received)}` };
  const answer = readResponse(received, request.method);
  if (answer instanceof Error)
    return { fault: 'undocumented', why: `unreadable: ${answer.message}: ${start(received)}` };
  if (answer === undefined) {
    // A server may drop bytes that are not HTTP without a response.
    if (request.damaged !== undefined) return undefined;
    return { fault: 'dropped', why: `the connection was ${ended} without a response; received ${start(received)}` };
  }
  const summary = `${answer.status} ${answer.headers.get('content-type') ?? ''} ${answer.body.slice(0, 1_000)}`;
  if (!answer.complete && ended !== 'enough' && request.damaged === undefined) {
    return { fault: 'dropped', why: `the response ended early: ${summary}` };
  }
  const isSlow = answer.status === 503 && healthPaths.test(pathOf(request.target));
  if (answer.status >= 500 && !isSlow) return { fault: 'server error', why: summary };
  try {
    expectDocumented(contract, request, answer);
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { fault: error instanceof ServerFault ? 'server error' : 'undocumented', why: `${why}\n${summary}` };
  }
}

function readResponse(received: Buffer, method: string): RawResponse | Error | undefined {
  try {
    return parseResponse(received, method);
  } catch (error) {
    return error as Error;
  }
}

/** A fault of the service that a response reports inside its body. */
class ServerFault extends Error {}

function expectDocumented(contract: Contract, request: FuzzRequest, answer: RawResponse): void {
  const { method, target, damaged } = request;
  const { status, headers } = answer;
  expectThat(!headers.has('x-injected'), 'a header of the request got into the response');
  const bodies = bodiesOf(answer, method);
  expectThat(bodies.length > 0, 'the stream ended without an event');
  for (const body of bodies) expectNoFault(body);
  if (status >= 400) for (const body of bodies) if (body !== undefined) expectRefusal(status, body);
  // Only the server can tell which operation was meant.
  if (damaged !== undefined) return;
  const contentType = headers.get('content-type') ?? null;
  // After white space the server expects the HTTP version.
  const [url = ''] = target.split(/\s/, 1);
  const violations = bodies.map((body) => contract.check({ method, url, status, contentType, body }));
  const path = pathOf(url);
  if (contract.find(method, path) === undefined || violations.includes(false)) {
    expectThat(status < 400 || method === 'HEAD' || !bodies.includes(undefined), 'the error has no body');
    expectRefused(contract, method, path, answer);
  } else if (status === 400 && method === 'GET' && /^\/p\d+\//.test(path)) {
    expectParameter(contract, method, path, bodies);
  } else if (status === 400 && method === 'POST') {
    expectThat(bodies.every(hasFields) || /[%?]/.test(target), 'the error does not name the members at fault');
  }
}

/**
 * Expects the responses that belong to no operation of the document: preflights, other methods, other paths, the page.
 */
function expectRefused(contract: Contract, method: string, path: string, { status, headers }: RawResponse): void {
  // A fault of the message itself is reported first.
  if ([400, 413, 414, 415, 431].includes(status)) return;
  if (method === 'OPTIONS' && status === 204) return;
  const others = contract.operations.filter((each) => contract.find(each.method, path) === each);
  if (others.length > 0) {
    expectThat(status === 405, `returned ${status}, not 405, for a method that the document does not have`);
    const allowed = headers.get('allow')?.split(', ') ?? [];
    for (const other of others) expectThat(allowed.includes(other.method), `${other.method} is missing from Allow`);
    return;
  }
  if (pagePaths.test(path)) return;
  expectThat(
    status === 404 || status === 405,
    `returned ${status}, not 404, for a path that the document does not have`,
  );
}

/** Expects the common shape of error bodies. */
function expectRefusal(status: number, body: unknown): void {
  if (isMessage(body)) return;
  const { error } = (body ?? {}) as { error?: Record<string, unknown> };
  const { message, code, statusCode, retryable } = error ?? {};
  const whole = typeof message === 'string' && typeof code === 'string' && typeof retryable === 'boolean';
  expectThat(whole && statusCode === status, 'the error does not have the documented shape');
  expectThat(String(message).length < LONGEST_MESSAGE, 'the message of the error is too long');
}

/** Whether a body is a message of JSON-RPC, whose errors have another shape. The contract allows it at `/mcp` only. */
function isMessage(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'jsonrpc' in body;
}

/** Expects that a refused extraction names the parameter at fault, or the damage of the path. */
function expectParameter(contract: Contract, method: string, path: string, bodies: readonly unknown[]): void {
  const names = contract.find(method, path)?.parameters.map(({ name }) => name) ?? [];
  for (const body of bodies) {
    const { parameter, message } = (body as { error: { parameter?: string; message: string } }).error;
    if (/not valid HTTP|incorrectly encoded|no Host header|must be a path/.test(message)) continue;
    expectThat(parameter !== undefined && names.includes(parameter), 'the parameter at fault is not named');
    expectThat(message.includes(parameter ?? ''), 'the message does not name the parameter at fault');
  }
}

/**
 * Expects that a response of 200 reports no fault of the service: in an item of a batch, in the envelope, or in a job.
 */
function expectNoFault(body: unknown): void {
  if (typeof body !== 'object' || body === null) return;
  const { results, error } = body as { results?: unknown; error?: unknown };
  const items = Array.isArray(results) ? results : [];
  const failed = items.find(({ statusCode }: { statusCode?: unknown }) => Number(statusCode) >= 500);
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  const inside = typeof error === 'string' && error.includes('inside the service');
  if (failed !== undefined) throw new ServerFault(`an item failed: ${JSON.stringify(failed).slice(0, 500)}`);
  if (inside || code === 'unexpected_error' || code === 'other') throw new ServerFault('the service failed inside');
}

function hasFields(body: unknown): boolean {
  const { error } = body as { error: { code: string; fields?: readonly unknown[] } };
  return error.code !== 'invalid_body' || (error.fields?.length ?? 0) > 0;
}

/** Returns the parts of a response that the document has a schema for: its body, or the data of each complete event. */
function bodiesOf({ status, headers, body }: RawResponse, method: string): readonly unknown[] {
  const type = headers.get('content-type') ?? '';
  if (method === 'HEAD') {
    // The connection closes after a request that the HTTP parser rejected: its method may not be known.
    expectThat(body === '' || status === 400 || status === 431, 'the response to HEAD has a body');
    return [undefined];
  }
  if (status === 101 || body === '') return [undefined];
  if (/^application\/(?:[\w.-]+\+)?json\b/.test(type)) return [JSON.parse(body)];
  if (!type.startsWith('text/event-stream')) return [body];
  const events = body.split('\n\n').slice(0, -1);
  return events.flatMap((event) => {
    const [, data] = /^data: (.*)$/m.exec(event) ?? [];
    return data === undefined ? [] : [JSON.parse(data)];
  });
}

function expectThat(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}

function start(bytes: Buffer): string {
  return bytes.length === 0 ? 'nothing' : JSON.stringify(bytes.subarray(0, 500).toString('latin1'));
}
