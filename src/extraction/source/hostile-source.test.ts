import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import ipaddr from 'ipaddr.js';
import { afterEach, expect, test } from 'vitest';
import { serviceCaller } from '../../contract/caller.ts';
import { MillraceError } from '../../contract/errors.ts';
import { createEgress } from '../../egress/create-egress.ts';
import { createYoutube } from '../../platforms/youtube/index.ts';
import { createSourceClient } from './source-client.ts';

const MIB = 1024 * 1024;
const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** Returns the outcome of an extraction from a source that handles every request with `listener`. */
async function outcomeOf(listener: RequestListener, deadline: AbortSignal): Promise<unknown> {
  const server = createServer((request, response) => {
    // These tests let the client disconnect in the middle of a response.
    response.on('error', () => undefined);
    request.resume().on('end', () => listener(request, response));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const origin = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const egress = createEgress({
    EGRESS_ALLOW: [ipaddr.parseCIDR('127.0.0.1/32')],
    EGRESS_CONNECT_TO: [{ pattern: '*', origin }],
  });
  open.push(
    () => egress.close(),
    () => server.closeAllConnections(),
    () => server.close(),
  );
  const playlist = createYoutube().endpoints.find(({ path }) => path === '/playlist');
  const source = createSourceClient(egress, serviceCaller, deadline);
  const pages = { token: () => null };
  const context = {
    source,
    countries: [],
    sourceIn: () => source,
    pages,
    requestsPart: () => true,
    profileOrder: (all: readonly string[]) => all,
    timeLeft: () => 25_000,
    signal: deadline,
  };
  const parameters = { playlistId: 'PL00000000000000000000000000000000' };
  return playlist?.extract(parameters, context).catch((error: unknown) => error);
}

const json =
  (body: string | Buffer, headers: Record<string, string | number> = {}, status = 200): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };

const nestedJson = (depth: number) => `${'{"contents":'.repeat(depth)}1${'}'.repeat(depth)}`;
const lists = (depth: number) => `{"contents":${'['.repeat(depth)}${']'.repeat(depth)}}`;

test.each<[string, RequestListener, string]>([
  ['nothing', json(''), 'non_2xx_response'],
  ['white space', json(' \r\n'), 'non_2xx_response'],
  ['half a response of the declared length', json('{"contents":{'), 'invalid_response_data'],
  [
    'less than declared',
    (_request, response) => {
      response.writeHead(200, { 'content-length': 1000 });
      response.write('{"contents":1}', () => response.destroy());
    },
    'connection_error',
  ],
  ['a web page', json('<!doctype html><title>Sorry</title>', { 'content-type': 'text/html' }), 'non_2xx_response'],
  ['no object', json('[1,2,3]'), 'non_2xx_response'],
  ['bytes that are not text', json(Buffer.alloc(1000, 0xff)), 'non_2xx_response'],
  ['a declared length of 100 MB', json('{', { 'content-length': 100 * MIB }), 'invalid_response_data'],
  [
    '100 MB in a small compressed body',
    json(gzipSync(Buffer.alloc(100 * MIB)), { 'content-encoding': 'gzip' }),
    'invalid_response_data',
  ],
  ['an invalid encoding', json('not gzip', { 'content-encoding': 'gzip' }), 'invalid_response_data'],
  [
    'a truncated encoding',
    json(gzipSync('{"a":1}').subarray(0, 15), { 'content-encoding': 'gzip' }),
    'invalid_response_data',
  ],
  ['an unknown encoding', json('{}', { 'content-encoding': 'gzip, gzip' }), 'invalid_response_data'],
  ['objects nested a hundred thousand deep', json(nestedJson(100_000)), 'invalid_response_data'],
  ['lists nested a million deep', json(lists(1_000_000)), 'invalid_response_data'],
  ['429', json('{}', { 'retry-after': '60' }, 429), 'non_2xx_response'],
  ['500', json('<html>', {}, 500), 'non_2xx_response'],
  ['503', json('', {}, 503), 'non_2xx_response'],
  ['a redirect to itself', json('', { location: '/' }, 302), 'unexpected_redirect'],
  ['a redirect to an internal address', json('', { location: 'http://10.0.0.1/' }, 302), 'unexpected_redirect'],
  ['no response', (_request, response) => response.destroy(), 'connection_error'],
])('a source that sends %s leads to a typed error', async (_name, listener, code) => {
  const outcome = await outcomeOf(listener, new AbortController().signal);
  expect(outcome).toBeInstanceOf(MillraceError);
  expect(outcome).toMatchObject({ code });
});

test('an endless response is cancelled at the size limit', async () => {
  let bytesSent = 0;
  const endless: RequestListener = (_request, response) => {
    response.writeHead(200);
    const chunk = Buffer.alloc(256 * 1024, 'a');
    const more = () => {
      while (!response.destroyed && response.write(chunk)) bytesSent += chunk.length;
    };
    response.on('drain', more);
    more();
  };
  expect(await outcomeOf(endless, new AbortController().signal)).toMatchObject({ code: 'invalid_response_data' });
  expect(bytesSent).toBeLessThan(40 * MIB);
});

test.each<[string, RequestListener]>([
  ['sends no data', () => undefined],
  [
    'sends a byte occasionally',
    (_request, response) => {
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    },
  ],
])('a source that %s is cancelled at the timeout', async (_name, listener) => {
  const deadline = new AbortController();
  const late = new MillraceError('operation_timeout', 'The source took too long to respond. Try again.');
  const outcome = outcomeOf((request, response) => {
    listener(request, response);
    deadline.abort(late);
  }, deadline.signal);
  expect(await outcome).toBe(late);
});
