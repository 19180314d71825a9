/** @module-tag long */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { openContract, pathOf } from '../contract.ts';
import { describeFindings, fuzz } from './fuzz.ts';
import { hasStayed, inspectorSettings, openMemoryReader, settledMemory } from './memory.ts';
import type { Subject } from './requests.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const refusal = json({ type: 'object', required: ['error'] });
const contract = openContract({
  openapi: '3.1.0',
  paths: {
    '/pets': {
      get: {
        parameters: [{ name: 'kind', in: 'query', required: false, schema: { type: 'string', enum: ['cat', 'dog'] } }],
        responses: { 200: json({ type: 'object', required: ['name'] }), 400: refusal },
      },
    },
  },
});

type Respond = (response: ServerResponse, request: IncomingMessage) => void;

const pet = JSON.stringify({ name: 'Rex' });
const sendJson = (response: ServerResponse, status: number, body: string) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
const errorText = (statusCode: number) =>
  JSON.stringify({ error: { message: 'No.', code: 'no', retryable: false, statusCode } });

let server: Server | undefined;
let child: ChildProcess | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  child?.kill('SIGKILL');
  server = undefined;
  child = undefined;
});

/** Starts a service that follows the document, except for its responses to valid requests. */
async function serve(respond: Respond): Promise<Subject> {
  const options = { requireHostHeader: false, maxHeaderSize: 65_536, shouldUpgradeCallback: () => false };
  const started = createServer(options, (request, response) => {
    const { method = '', url = '' } = request;
    // Node drops what follows an ignored upgrade.
    if ('upgrade' in request.headers) response.setHeader('connection', 'close');
    if (method === 'OPTIONS') response.writeHead(204).end();
    else if (pathOf(url) !== '/pets') sendJson(response, 404, errorText(404));
    else if (method === 'GET' || method === 'HEAD') respond(response, request);
    else sendJson(response.setHeader('allow', 'GET, HEAD'), 405, errorText(405));
  });
  started.on('checkExpectation', (request, response) => started.emit('request', request, response));
  started.on('clientError', (_error, socket) => {
    const body = errorText(400);
    const head = `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`);
  });
  started.listen(0, '127.0.0.1');
  await once(started, 'listening');
  server = started;
  const address = started.address();
  if (address === null || typeof address === 'string') throw new Error('the system assigned no port');
  return { origin: `http://127.0.0.1:${address.port}`, contract, credentials: [], knownTargets: new Map() };
}

const numbers = Array.from({ length: 400 }, (_, index) => index + 1);
const run = { seed: 1, numbers, lanes: 4 };

test('a service that follows its document has no findings', async () => {
  const subject = await serve((response) => sendJson(response, 200, pet));
  const report = await fuzz(subject, run);
  expect(describeFindings(report, run.seed)).toBe('');
  expect(report.requests).toBeGreaterThan(numbers.length);
  expect([...report.successfulOperations]).toEqual(contract.operations);
});

const planted: [string, string, Respond][] = [
  ['a server error', 'server error', (response) => sendJson(response, 500, errorText(500))],
  [
    'a failure within an item',
    'server error',
    (response) => sendJson(response, 200, '{"results":[{"statusCode":503}]}'),
  ],
  ['an unknown status', 'undocumented', (response) => sendJson(response, 409, errorText(409))],
  ['an error of another shape', 'undocumented', (response) => sendJson(response, 400, '{"error":"no"}')],
  ['a body of another shape', 'undocumented', (response) => sendJson(response, 200, '{"nickname":"Rex"}')],
  [
    'another content type',
    'undocumented',
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(pet),
  ],
  ['broken JSON', 'undocumented', (response) => sendJson(response, 200, '{"name":')],
  ['a dropped connection', 'dropped', (response) => response.destroy()],
  [
    'a second response to a request',
    'undocumented',
    (response) => {
      const { socket } = response;
      sendJson(response, 200, pet).on('finish', () => socket?.write('HTTP/1.1 204 No Content\r\n\r\n'));
    },
  ],
  [
    'a response that ends early',
    'dropped',
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 5_000 });
      response.write(pet, () => response.destroy());
    },
  ],
];

describe('the fuzzer finds', () => {
  test.each(planted)('%s', async (_name, fault, respond) => {
    const { findings } = await fuzz(await serve(respond), run);
    expect(findings.map((finding) => finding.fault)).toContain(fault);
  });

  test('a response that never ends', async () => {
    const hangs: Respond = (response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{');
    const { findings } = await fuzz(await serve(hangs), { ...run, lanes: 400, timeout: 1_000 });
    expect(findings.map(({ fault }) => fault)).toContain('hang');
  });

  test('a fault in one of many requests, and reproduces it by its number', async () => {
    const rare: Respond = (response, { url = '' }) =>
      url.includes('kind=CAT') ? sendJson(response, 500, errorText(500)) : sendJson(response, 200, pet);
    const subject = await serve(rare);
    const report = await fuzz(subject, run);
    const [first] = report.findings;
    expect(first).toMatchObject({ fault: 'server error', command: expect.stringMatching(/kind=CAT/) });
    expect(describeFindings(report, run.seed)).toContain(`FUZZ_SEED=1 FUZZ_ONLY=${first?.number}`);
    const again = await fuzz(subject, { ...run, numbers: [first?.number ?? 0] });
    expect(again.findings).toEqual([first]);
  });
});

/** Retains as many bytes as a request says, or none. */
const keeping = `
const kept = [];
const server = require('node:http').createServer((request, response) => {
  kept.push(Buffer.alloc(Number(request.url.slice(1)), 1));
  response.end();
});
server.listen(0, '127.0.0.1', () => console.log('listening on ' + server.address().port));
`;

test('a memory leak is a finding, and freed memory is not', async () => {
  const program = spawn(process.execPath, ['-e', keeping], {
    env: { ...inspectorSettings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = program;
  let printed = '';
  for (const stream of [program.stdout, program.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
  await expect.poll(() => printed).toMatch(/ws:\S+/);
  await expect.poll(() => printed).toMatch(/listening on \d+\n/);
  const origin = `http://127.0.0.1:${/listening on (\d+)/.exec(printed)?.[1]}`;
  const reader = await openMemoryReader({ output: () => printed });
  try {
    const before = await reader.read();
    await fetch(`${origin}/1000000`);
    const middle = await settledMemory(reader, [before], 10_000);
    expect(hasStayed([before, middle])).toBe(true);
    await fetch(`${origin}/20000000`);
    const after = await settledMemory(reader, [before, middle], 0);
    expect([hasStayed([before, after]), hasStayed([before, middle, after])]).toEqual([true, false]);
    await fetch(`${origin}/50000000`);
    expect(hasStayed([before, await settledMemory(reader, [before], 0)])).toBe(false);
  } finally {
    reader.close();
  }
});
