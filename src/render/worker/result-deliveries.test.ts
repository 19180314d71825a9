import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { DeliveryOutcome } from '../../contract/delivery-outcome.ts';
import { parseJob } from '../../contract/parse-job.ts';
import { createEgress } from '../../egress/create-egress.ts';
import { createSealer } from '../../sealing/sealer.ts';
import { createResultDeliveries, type DeliveryOptions } from './result-deliveries.ts';
import { openRetention, type Retention } from './result-retention.ts';
import { readRetainedResult } from './retained-result.ts';

const sealer = createSealer(['a secret for these tests']);
const content = Buffer.alloc(300_000, 'film');

interface Upload {
  readonly method: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

let folder: string;
let server: Server;
let origin: string;
let uploads: Upload[];
/** How the store responds to each upload in turn; later ones succeed. */
let responses: Respond[];
let pauses: number[];
let lines: string[];
let outcomes: string[];
let retention: Retention;
let abort: AbortController;
const egress = createEgress({ EGRESS_ALLOW: [ipaddr.parseCIDR('127.0.0.1/32')], EGRESS_CONNECT_TO: [] });

const returning =
  (status: number, headers: Readonly<Record<string, string>> | string[] = {}): Respond =>
  (_request, response) =>
    response.writeHead(status, headers).end('a body that nobody reads');
/** Responds before it has read the file, and never reads it. */
const hasty: Respond = (_request, response) => response.writeHead(200).end();
const cutting: Respond = (request) => request.socket.destroy();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-deliveries-'));
  await mkdir(join(folder, 'run'));
  [uploads, responses, pauses, lines, outcomes] = [[], [], [], [], []];
  retention = openRetention({ sealer, maxResults: 1 });
  abort = new AbortController();
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    const respond = responses.shift() ?? returning(200, { etag: '"abc"' });
    if (respond === cutting || respond === hasty) return respond(request, response);
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      // The delivery was aborted.
      return;
    }
    uploads.push({ method: request.method, headers: request.headers, body: Buffer.concat(chunks) });
    respond(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  vi.restoreAllMocks();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

/** Delivers a result to the store. */
async function deliver(
  options: { output?: object; expiresIn?: number; url?: string; file?: Buffer; onPause?: () => unknown } = {},
): Promise<{ outcome: DeliveryOutcome; fractions: number[]; path: string; slot: string[] }> {
  const {
    output = {},
    expiresIn = 600_000,
    url = `${origin}/bucket/film.mp4?X-Amz-Signature=secret`,
    file = content,
    onPause,
  } = options;
  const path = join(folder, 'run', 'result.mp4');
  await writeFile(path, file);
  const job = parseJob({
    id: 'one',
    inputs: [{ url: 'https://cdn.example/a.mp4', ext: 'mp4' }],
    output: { ext: 'mp4', putUrl: url, ...output },
    operation: { type: 'convert_format' },
  });
  if (job.output.delivery === undefined) throw new Error('the job has no delivery');
  const fractions: number[] = [];
  const slot: string[] = [];
  const call: DeliveryOptions = {
    run: 'run',
    owner: 'me',
    directory: join(folder, 'run'),
    expiresAt: new Date(Date.now() + expiresIn),
    signal: abort.signal,
    onProgress: (fraction) => fractions.push(fraction),
    onWaiting: async () => void slot.push('released'),
    onRetained: () => slot.push('retained'),
    log: pino({ level: 'info' }, { write: (line) => void lines.push(line) }),
  };
  const deliveries = createResultDeliveries({
    egress,
    retention,
    metrics: { deliveryEnded: (how) => outcomes.push(how) },
    async pause(milliseconds, signal) {
      pauses.push(milliseconds);
      onPause?.();
      await new Promise(setImmediate);
      signal?.throwIfAborted();
    },
  });
  const { outcome, result } = await deliveries.deliver(
    job,
    job.output.delivery,
    { path, bytes: file.length, notes: [] },
    call,
  );
  return { outcome, fractions, path: result.path, slot };
}

test('accepts headers that the store repeats', async () => {
  responses.push(
    returning(503, ['retry-after', '7', 'retry-after', '9']),
    returning(200, ['etag', '"a"', 'etag', '"b"']),
  );
  const { outcome } = await deliver();
  expect([outcome.status, outcome.etag, pauses.length]).toEqual(['delivered', '"a", "b"', 1]);
});

test('uploads the bytes of the file with its length, its type and the headers of the caller', async () => {
  const { outcome, fractions, slot } = await deliver({
    output: { putHeaders: { 'X-Amz-Meta-Title': 'Film', Authorization: 'Bearer mine' } },
  });
  expect(uploads).toMatchObject([
    {
      method: 'PUT',
      headers: {
        'content-length': String(content.length),
        'content-type': 'video/mp4',
        'x-amz-meta-title': 'Film',
        authorization: 'Bearer mine',
      },
    },
  ]);
  expect(uploads[0]?.headers).not.toHaveProperty('transfer-encoding');
  expect(uploads[0]?.body.equals(content)).toBe(true);
  expect(outcome).toEqual({
    status: 'delivered',
    host: new URL(origin).host,
    bytes: content.length,
    attempts: 1,
    httpStatus: 200,
    etag: '"abc"',
    code: null,
    message: null,
  });
  expect(fractions.at(-1)).toBe(1);
  expect(slot).toEqual([]);
  expect(outcomes).toEqual(['ok']);
});

test('sends the type that the caller gives instead of that of the container', async () => {
  await deliver({ output: { putHeaders: { 'Content-Type': 'application/x-film' } } });
  expect(uploads[0]?.headers['content-type']).toBe('application/x-film');
});

test.each([
  ['403', returning(403), 403],
  ['404', returning(404), 404],
  ['a redirect', returning(307, { location: 'https://elsewhere.example/' }), 307],
])('ends at once when the store returns %s', async (_name, response, httpStatus) => {
  responses = [response];
  const { outcome, slot } = await deliver();
  expect(outcome).toMatchObject({ status: 'failed', code: 'delivery_refused', attempts: 1, httpStatus, etag: null });
  expect([uploads.length, pauses, slot]).toEqual([1, [], []]);
});

test('ends at once when the guard refuses the address of the store', async () => {
  const { outcome } = await deliver({ url: 'http://169.254.169.254/latest?token=secret' });
  expect(outcome).toMatchObject({
    status: 'failed',
    code: 'address_refused',
    httpStatus: null,
    host: '169.254.169.254',
  });
  expect(pauses).toEqual([]);
});

test.each([2, 1000, 262_144, 30_000_000])('a success before all %i bytes were sent is not one', async (bytes) => {
  responses = [hasty];
  const file = Buffer.alloc(bytes);
  const { outcome } = await deliver({ file });
  expect([outcome.status, outcome.attempts, uploads.map(({ body }) => body.length)]).toEqual([
    'delivered',
    2,
    [file.length],
  ]);
});

describe('a store that fails temporarily', () => {
  test('gets the whole file again with growing pauses, while the run occupies no slot', async () => {
    responses = [returning(500), cutting, returning(503)];
    const { outcome, slot, path } = await deliver();
    expect(outcome).toMatchObject({ status: 'delivered', attempts: 4, httpStatus: 200 });
    expect(uploads.map(({ body }) => body.equals(content))).toEqual([true, true, true]);
    expect(pauses.map((pause, index) => pause > 500 * 2 ** index && pause <= 1_000 * 2 ** index)).toEqual([
      true,
      true,
      true,
    ]);
    expect(slot).toEqual(['released', 'retained']);
    expect(path).toContain('kept');
    expect(retention.waiting.results).toBe(0);
  });

  test('determines the pause by its Retry-After, up to an hour', async () => {
    responses = [returning(429, { 'retry-after': '120' }), returning(503, { 'retry-after': '999999' })];
    await deliver();
    expect(pauses).toEqual([120_000, 3_600_000]);
  });

  test('leaves its result to a later run of the job while it is retried', async () => {
    responses = [returning(500)];
    const reason = new Error('the worker stops');
    await expect(deliver({ onPause: () => abort.abort(reason) })).rejects.toBe(reason);
    const retained = await readRetainedResult(join(folder, 'run'), 'one', sealer, AbortSignal.timeout(60_000));
    expect(retained).toMatchObject({ bytes: content.length });
    expect(retained).not.toHaveProperty('delivery');
  });

  test('is given up when the time of the job is over', async () => {
    const time = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal);
    responses = [returning(500), returning(500)];
    const onPause = () => responses.length === 0 && time.abort(new DOMException('It is over.', 'TimeoutError'));
    const { outcome } = await deliver({ output: { keep: false }, onPause });
    expect(outcome).toMatchObject({ status: 'failed', code: 'delivery_failed', httpStatus: 500 });
    expect(outcome.message).toContain('it returned 500');
    expect(outcomes).toEqual(['delivery_failed']);
    const [limit = 0] = timeout.mock.calls[0] ?? [];
    expect([limit > 500_000, limit <= 570_000]).toEqual([true, true]);
  });

  /** Retains a result of another job. */
  async function retainAnother(owner: string): Promise<void> {
    const directory = join(folder, 'other');
    const path = join(directory, 'result.mp4');
    await mkdir(directory);
    await writeFile(path, 'x');
    const run = { run: 'other', job: 'two', owner, directory, log: pino({ level: 'silent' }) };
    await retention.retain({ path, bytes: 1, notes: [] }, run, undefined, abort.signal);
  }

  test('is given up at once if the worker can retain no more results', async () => {
    await retainAnother('another');
    responses = [returning(500)];
    const { outcome, path } = await deliver();
    expect(outcome).toMatchObject({ status: 'failed', code: 'delivery_failed', attempts: 1 });
    expect(await readdir(join(folder, 'run'))).toEqual(['result.mp4']);
    expect(path).toBe(join(folder, 'run', 'result.mp4'));
  });

  test.each([
    ['places', 'me', 2, 1_000_000, 'failed', 1],
    ['space', 'me', 10, 2 * content.length, 'failed', 1],
    ['places', 'another', 2, 1_000_000, 'delivered', 2],
    ['space', 'another', 10, 2 * content.length, 'delivered', 2],
  ])(
    'waits in its share of the %s if a result of %s waits',
    async (_what, owner, maxResults, space, status, attempts) => {
      retention = openRetention({ sealer, maxResults, ownerShare: 0.5, free: async () => space });
      await retainAnother(owner);
      responses = [returning(500)];
      const { outcome } = await deliver();
      expect(outcome).toMatchObject({ status, attempts });
    },
  );
});

test('a cancelled upload is cut', async () => {
  const reason = new Error('cancelled');
  const closed = Promise.withResolvers<void>();
  responses = [
    (request) => {
      request.socket.once('close', () => closed.resolve());
      abort.abort(reason);
    },
  ];
  await expect(deliver()).rejects.toBe(reason);
  await closed.promise;
});

test('an outcome and the log show nothing of the URL and the headers except the host', async () => {
  responses = [cutting, returning(500), returning(403)];
  const { outcome } = await deliver({ output: { putHeaders: { Authorization: 'Bearer mine' } } });
  const shown = JSON.stringify(outcome) + lines.join('');
  for (const secret of ['film.mp4?', 'Signature', 'bucket', 'Bearer']) expect(shown).not.toContain(secret);
});
