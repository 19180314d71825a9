import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Collector, startCollector } from '../../../test/support/otlp-collector.ts';
import { readConfig } from '../../config.ts';
import { MillraceError } from '../../contract/errors.ts';
import { createServer } from '../../http/server.ts';
import { openTracer } from '../open-tracer.ts';
import type { RecordingTracer } from '../tracer.ts';
import { traceRequests } from './trace-requests.ts';

const never = new AbortController().signal;
const closers: (() => Promise<unknown>)[] = [];
let collector: Collector;
let tracer: RecordingTracer;
let url: string;
/** Number of spans that were checked. */
let read = 0;
/** Called when the route /slow has a request. */
let onSlowRequest: () => void = () => undefined;

beforeAll(async () => {
  collector = await startCollector();
  const config = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const opened = await openTracer(config, { warn: () => undefined });
  if (opened === undefined) throw new Error('no tracer was opened');
  tracer = opened;
  const server = await createServer(pino({ level: 'silent' }));
  traceRequests(server, tracer);
  server.post('/files/:link', async (request) => {
    await nextTurn();
    return { context: tracer.context(), body: request.body };
  });
  server.get('/refused', async () => {
    throw new MillraceError('service_unavailable', 'https://secret.example/ is away.');
  });
  server.get('/slow', () => {
    onSlowRequest();
    return new Promise(() => undefined);
  });
  server.get('/health/live', async () => 'well');
  await server.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  closers.push(collector.close, () => server.close());
});
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

/** Waits for the next spans, and returns them. */
async function nextSpans(count: number) {
  const flushed = async () => {
    await tracer.flush(never);
    return collector.spans.length - read;
  };
  await expect.poll(flushed, { interval: 5 }).toBeGreaterThanOrEqual(count);
  const spans = collector.spans.slice(read);
  read += spans.length;
  return spans;
}

test('a request has a span with the pattern of its route, and is the context of its handler after the body', async () => {
  const headers = { 'content-type': 'application/json', 'x-request-id': 'r-1' };
  const response = await fetch(`${url}/files/sealed-link?token=secret`, { method: 'POST', headers, body: '{"a":1}' });
  const { context, body } = (await response.json()) as { context: string; body: unknown };
  expect(body).toEqual({ a: 1 });
  const spans = await nextSpans(1);
  expect(spans).toMatchObject([
    {
      name: 'POST /files/:link',
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/files/:link',
        'http.response.status_code': 200,
        'millrace.request_id': 'r-1',
      },
      status: { code: 0 },
    },
  ]);
  expect(context).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/);
  expect(JSON.stringify(spans)).not.toMatch(/secret|sealed/);
});

test('a span states the code of an error, and fails if the service is at fault', async () => {
  await fetch(`${url}/refused`);
  await fetch(`${url}/no-such-page`);
  const spans = await nextSpans(2);
  expect(spans).toMatchObject([
    { name: 'GET /refused', status: { code: 2 }, attributes: { 'error.type': 'service_unavailable' } },
    { name: 'GET', status: { code: 0 }, attributes: { 'error.type': 'not_found' } },
  ]);
  expect(JSON.stringify(spans)).not.toContain('secret');
});

test('a span ends when its caller disconnects, and health checks have none', async () => {
  await fetch(`${url}/health/live`);
  const call = httpRequest(`${url}/slow`).on('error', () => undefined);
  const received = new Promise<void>((resolve) => {
    onSlowRequest = resolve;
  });
  call.end();
  await received;
  call.destroy();
  expect(await nextSpans(1)).toMatchObject([{ name: 'GET /slow', attributes: { 'millrace.disconnected': true } }]);
});
