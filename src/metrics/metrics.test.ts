import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { serviceCaller } from '../contract/caller.ts';
import { MillraceError } from '../contract/errors.ts';
import type { Egress, ResponseHead } from '../egress/egress.ts';
import { createBareServer, createServer } from '../http/server.ts';
import { countResponses } from './count-responses.ts';
import { instrumentEgress } from './instrument-egress.ts';
import { createMetrics } from './metrics.ts';
import { addMetricsRoutes } from './metrics-route.ts';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

describe('GET /metrics', () => {
  test('returns all metrics, including those of the process', async () => {
    const metrics = createMetrics();
    const admin = createBareServer(pino({ level: 'silent' }));
    addMetricsRoutes(admin, metrics);
    open.push(() => admin.close());
    const labels = { platform: 'p1', endpoint: '/video/details' };
    metrics.request(labels, 'ok', 30);
    metrics.extraction(labels, 'non_2xx_response', 3_000);
    metrics.cacheLookup('hit');
    metrics.credits('PRO', 2);
    metrics.cancelRequested('cancelled');
    metrics.replacementRequested('p1', 'replaced');
    metrics.startRun(0).end('cancelled');
    const over = metrics.relayConnection();
    metrics.relayConnection();
    over(5_000);
    metrics.gauge('some', 'Something.', async () => 7);
    metrics.labelledGauge('things', 'Things by kind.', 'kind', async () => new Map([['round', 3]]));

    const { headers, statusCode, body } = await admin.inject('/metrics');
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    for (const line of [
      'millrace_requests_total{platform="p1",endpoint="/video/details",code="ok"} 1',
      'millrace_request_seconds_bucket{le="0.05",platform="p1",endpoint="/video/details"} 1',
      'millrace_extractions_total{platform="p1",endpoint="/video/details",code="non_2xx_response"} 1',
      'millrace_extraction_seconds_bucket{le="2",platform="p1",endpoint="/video/details"} 0',
      'millrace_extraction_seconds_bucket{le="4",platform="p1",endpoint="/video/details"} 1',
      'millrace_answer_cache_requests_total{result="hit"} 1',
      'millrace_credits_debited_total{plan="PRO"} 2',
      'millrace_link_replacement_requests_total{platform="p1",result="replaced"} 1',
      'millrace_render_cancels_total{result="cancelled"} 1',
      'millrace_render_runs_total{code="cancelled"} 1',
      'millrace_relay_connections 1',
      'millrace_relay_sent_bytes_total 5000',
      'millrace_some 7',
      'millrace_things{kind="round"} 3',
    ]) {
      expect(body.split('\n')).toContain(line);
    }
    expect(body).toMatch(/^process_resident_memory_bytes \d+$/m);
  });

  test('leaves out gauges that cannot be read, and counts and logs them', async () => {
    const metrics = createMetrics();
    const logged: unknown[] = [];
    const admin = createBareServer(pino({ level: 'warn' }, { write: (line: string) => logged.push(JSON.parse(line)) }));
    addMetricsRoutes(admin, metrics);
    open.push(() => admin.close());
    const failing = () => Promise.reject(new Error('the database is gone'));
    let broken = false;
    metrics.gauge('flaky', 'Something.', () => (broken ? failing() : 3));
    metrics.labelledGauge('kinds', 'Things.', 'kind', () => (broken ? failing() : new Map([['a', 1]])));
    expect((await admin.inject('/metrics')).body).toMatch(/^millrace_flaky 3$/m);
    broken = true;
    const { statusCode, body } = await admin.inject('/metrics');
    expect(statusCode).toBe(200);
    expect(body).not.toMatch(/^millrace_(flaky|kinds)[ {]/m);
    expect(body).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(logged).toMatchObject([{ err: { message: 'the database is gone' }, metrics: ['flaky', 'kinds'] }]);
    broken = false;
    const after = (await admin.inject('/metrics')).body.split('\n');
    expect(after).toContain('millrace_flaky 3');
    expect(after).toContain('millrace_lookup_errors_total{metric="flaky"} 1');
  });

  test('reads a group of gauges once per collection', async () => {
    const metrics = createMetrics();
    let requests = 0;
    const read = async () => {
      requests += 1;
      return { first: requests, second: 10 * requests };
    };
    metrics.gaugeGroup({ first: 'One.', second: 'Two.' }, read);
    for (const scrape of [1, 2]) {
      const lines = (await metrics.registry.metrics()).split('\n');
      expect(lines).toContain(`millrace_first ${scrape}`);
      expect(lines).toContain(`millrace_second ${10 * scrape}`);
    }
    expect(requests).toBe(2);
  });
});

test('responses to callers are counted by the part of the service and the status class', async () => {
  const metrics = createMetrics();
  const app = await createServer(pino({ level: 'silent' }));
  open.push(() => app.close());
  countResponses(app, metrics);
  app.get('/p1/v3/video/details', () => 'ok');
  app.get('/api/v1/render/jobs/:id', () => Promise.reject(new MillraceError('service_unavailable', 'Away.')));
  app.get('/files/:link/:name', (_request, reply) => reply.code(304).send());
  app.get('/health', () => 'ok');
  app.get('/docs', () => 'ok');
  const paths = [
    '/p1/v3/video/details?videoId=secret',
    '/api/v1/render/jobs/secret',
    '/files/secret/secret',
    '/health',
  ];
  for (const path of [...paths, '/docs', '/secret']) await app.inject(path);
  const lines = (await metrics.registry.metrics()).split('\n');
  expect(lines.filter((line) => line.startsWith('millrace_http_responses_total{'))).toEqual([
    'millrace_http_responses_total{surface="extraction",status="2xx"} 1',
    'millrace_http_responses_total{surface="render",status="5xx"} 1',
    'millrace_http_responses_total{surface="files",status="3xx"} 1',
    'millrace_http_responses_total{surface="health",status="2xx"} 1',
    'millrace_http_responses_total{surface="other",status="2xx"} 1',
    'millrace_http_responses_total{surface="unmatched",status="4xx"} 1',
  ]);
});

describe('outgoing requests', () => {
  const head = (status: number): ResponseHead => ({ status, headers: {}, url: 'https://secret.example/path?key=1' });

  /** Returns an egress that responds with a status and some chunks, and then fails if `failure` is given. */
  const answering = (status: number, chunks: readonly string[], failure?: Error): Egress => ({
    async exchange(_request, receive) {
      const sink = receive(head(status));
      for (const chunk of chunks) await sink?.write(Buffer.from(chunk));
      if (failure !== undefined) throw failure;
      return head(status);
    },
    close: () => Promise.resolve(),
  });
  const request = {
    url: 'https://secret.example/path?key=1',
    caller: serviceCaller,
    signal: new AbortController().signal,
  };

  test('are counted by the part of the service and the status class, with the bytes of bodies', async () => {
    const metrics = createMetrics();
    const response: string[] = [];
    const sink = {
      write: (chunk: Buffer) => {
        response.push(chunk.toString());
        return undefined;
      },
    };
    const failure = new MillraceError('connection_error', 'Cut.');
    await instrumentEgress(answering(206, ['abc', 'de']), 'render', metrics).exchange(request, () => sink);
    await instrumentEgress(answering(404, ['x']), 'site', metrics).exchange(request, () => undefined);
    const cut = instrumentEgress(answering(200, ['f'], failure), 'relay', metrics).exchange(request, () => sink);
    await expect(cut).rejects.toBe(failure);
    expect(response).toEqual(['abc', 'de', 'f']);
    const text = await metrics.registry.metrics();
    for (const line of [
      'millrace_egress_requests_total{class="render",answer="2xx"} 1',
      'millrace_egress_requests_total{class="site",answer="4xx"} 1',
      'millrace_egress_requests_total{class="relay",answer="error"} 1',
      'millrace_egress_received_bytes_total{class="render"} 5',
      'millrace_egress_received_bytes_total{class="site"} 0',
      'millrace_egress_received_bytes_total{class="relay"} 1',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
    expect(text).not.toContain('secret');
  });
});
