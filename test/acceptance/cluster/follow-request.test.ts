import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { describeJob, fetchJson, type StartedJob } from '../../support/http-client.ts';
import { findRequests, type LabRequest, labFile, requestsWithToken } from '../../support/lab-client.ts';
import { type CollectedSpan, type Collector, startCollector } from '../../support/otlp-collector.ts';
import { keys, type RunningProcess, startService, temporaryFolder } from '../../support/processes.ts';
import { stackSettings } from '../../support/storage-stack.ts';
import { listen } from '../../support/web-socket.ts';

/** The trace context of a caller, who does not want a trace. */
const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const secret = 'whsec_c2l4dGVlbiBieXRlcyBvciBtb3Jl';
const traceparent = `00-${caller.traceId}-${caller.spanId}-00`;

describe.skipIf(process.env.TEST_DATABASE_URL === undefined)('a request (needs TEST_DATABASE_URL)', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let collector: Collector;
  let front: RunningProcess;
  let worker: RunningProcess;

  beforeAll(async () => {
    folder = await temporaryFolder();
    collector = await startCollector();
    const shared = {
      ...(await stackSettings(folder.path, 'postgres')),
      STORAGE_URL: `file:${join(folder.path, 'files')}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    };
    const start = (name: string, roles: string) =>
      startService(inject('labUrl'), join(folder.path, name), {
        ...shared,
        ROLES: roles,
        OTEL_RESOURCE_ATTRIBUTES: `service.instance.id=${name}`,
      });
    [front, worker] = await Promise.all([start('front', 'api,render'), start('worker', 'worker')]);
  });
  afterAll(async () => {
    await Promise.all([front, worker].map((node) => node.stop()));
    await collector.close();
    await folder.delete();
  });

  /** Starts a job on one node as the request `requestId`, and waits until the other node has ended it. */
  async function run(requestId: string, job: object) {
    const { status, body, headers } = await fetchJson<StartedJob>(`${front.url}/api/v1/render/execute`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${keys.render}`,
        'x-request-id': requestId,
        traceparent,
      },
      body: JSON.stringify(job),
    });
    expect(status, JSON.stringify(body)).toBe(202);
    expect(headers.get('x-request-id')).toBe(requestId);
    return (await listen(body.statusUrl)).events.at(-1);
  }

  /** Waits until the trace of the request `requestId` has a root and spans with these names, and returns its spans. */
  async function traceOf(requestId: string, ...names: readonly string[]): Promise<readonly CollectedSpan[]> {
    const inTrace = (spans: readonly CollectedSpan[]) => {
      const isRoot = ({ kind, attributes }: CollectedSpan) =>
        kind === 2 && attributes['millrace.request_id'] === requestId;
      const root = spans.find(isRoot);
      return spans.filter(({ traceId }) => traceId === root?.traceId);
    };
    const isComplete = (spans: readonly CollectedSpan[]) => {
      const found = new Set(inTrace(spans).map(({ name }) => name));
      return found.size > 0 && names.every((name) => found.has(name));
    };
    return inTrace(await collector.until(isComplete));
  }

  /** Returns the log lines of a node about the request `requestId`. */
  function linesOf(node: RunningProcess, requestId: string): readonly Record<string, unknown>[] {
    return node
      .output()
      .split('\n')
      .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
      .filter((line) => line.requestId === requestId);
  }

  const named = (spans: readonly CollectedSpan[], name: string) => {
    const found = spans.find((span) => span.name === name);
    if (found === undefined) throw new Error(`${name} is not among ${spans.map((span) => span.name).join(', ')}`);
    return found;
  };

  function expectNoTraceHeaders(requests: readonly LabRequest[]): void {
    expect(requests.length).toBeGreaterThan(0);
    for (const { headers } of requests) {
      expect(Object.keys(headers).filter((name) => /trace|baggage|b3/i.test(name))).toEqual([]);
    }
  }

  test('whose job failed is followed through the logs and one trace over two nodes', async () => {
    const file = labFile('/media/amber-2/movie-360.mp4', { status: 403 });
    const job = describeJob('no_process', [{ url: file.url, ext: 'mp4' }], 'mp4');
    expect(await run('complaint-1', job)).toMatchObject({
      status: 'failed',
      error_code: 'source_refused',
      request_id: 'complaint-1',
    });

    const accessLine = { msg: 'request', route: '/api/v1/render/execute', status: 202 };
    await expect.poll(() => linesOf(front, 'complaint-1')).toContainEqual(expect.objectContaining(accessLine));
    await expect
      .poll(() => linesOf(worker, 'complaint-1'))
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({ msg: 'job taken up', job: job.id }),
          expect.objectContaining({ msg: 'job failed', job: job.id, code: 'source_refused' }),
        ]),
      );

    const trace = await traceOf('complaint-1', 'download input', 'run job');
    const root = named(trace, 'POST /api/v1/render/execute');
    const start = named(trace, 'start job');
    const runSpan = named(trace, 'run job');
    expect(root).toMatchObject({
      links: [expect.objectContaining(caller)],
      resource: { 'service.name': 'millrace', 'service.instance.id': 'front' },
      attributes: { 'http.response.status_code': 202 },
    });
    expect(root.parentSpanId).toBeUndefined();
    expect(start).toMatchObject({ parentSpanId: root.spanId, attributes: { 'millrace.job.id': job.id } });
    expect(runSpan).toMatchObject({
      parentSpanId: start.spanId,
      resource: { 'service.instance.id': 'worker' },
      status: { code: 2, message: 'source_refused' },
      attributes: { 'millrace.request_id': 'complaint-1', 'millrace.job.id': job.id },
    });
    const input = { parentSpanId: runSpan.spanId, status: { code: 2, message: 'source_refused' } };
    expect(named(trace, 'download input')).toMatchObject(input);
    expect(trace.map(({ name }) => name)).not.toContain('process media');
    expectNoTraceHeaders(await requestsWithToken(inject('labUrl'), file.token));
  });

  test('has a span for each step of its job, and none of them contains a link', async () => {
    const input = labFile('/media/amber-2/movie-360.mp4');
    const webhook = labFile('/media/amber-2/still-720.jpg');
    const job = describeJob('convert_format', [{ url: input.url, ext: 'mp4' }], 'mp4', {
      webhook: { url: webhook.url, secret },
    });
    expect(await run('complaint-2', job)).toMatchObject({ status: 'done' });
    const steps = [
      'wait in queue',
      'claim job',
      'run job',
      'download input',
      'process media',
      'verify result',
      'store result',
      'deliver webhook',
    ];
    const trace = await traceOf('complaint-2', ...steps);
    const spans = steps.map((name) => named(trace, name));
    expect(spans.map(({ startedAt }) => startedAt)).toEqual(
      spans.map(({ startedAt }) => startedAt).toSorted((a, b) => a - b),
    );
    expect(spans.filter(({ status }) => status.code !== 0)).toEqual([]);
    expect(JSON.stringify(trace)).not.toMatch(/token=|lab\.example/);
    expectNoTraceHeaders(await requestsWithToken(inject('labUrl'), input.token));
    expectNoTraceHeaders(await requestsWithToken(inject('labUrl'), webhook.token));
  });

  test('to the extraction API has spans for the cache, the requests to the site and the response', async () => {
    const url = `${front.url}/p1/v3/video/details?videoId=lab-plain30`;
    const since = Date.now();
    for (const requestId of ['first', 'second']) {
      const headers = {
        'x-marketplace-key': keys.MEGA,
        'x-marketplace-host': 'api.example',
        'x-request-id': requestId,
      };
      expect((await fetchJson(url, { headers })).status).toBe(200);
    }
    const first = await traceOf('first');
    const fetched = named(first, 'fetch result');
    expect(fetched.attributes).toMatchObject({ 'millrace.cache': 'miss' });
    const extraction = named(first, 'extract');
    expect(extraction).toMatchObject({ parentSpanId: fetched.spanId, attributes: { 'millrace.platform': 'p1' } });
    const calls = first.filter(({ kind }) => kind === 3);
    expect(calls.length).toBeGreaterThan(0);
    for (const { attributes, parentSpanId } of calls) {
      expect(parentSpanId).toBe(extraction.spanId);
      const members = ['http.request.method', 'http.response.status_code', 'server.address'];
      expect(Object.keys(attributes).toSorted()).toEqual(members);
      expect(attributes['server.address']).toMatch(/^[a-z.]+$/);
    }
    named(first, 'build response');

    const second = await traceOf('second');
    expect(named(second, 'look up cached result').attributes).toMatchObject({ 'millrace.cache': 'hit' });
    expect(second.map(({ name }) => name)).not.toContain('extract');
    const host = String(calls[0]?.attributes['server.address']);
    expectNoTraceHeaders((await findRequests(inject('labUrl'), { host })).filter(({ at }) => at >= since));
  });

  test('has a trace even if the node stops right after it, and health checks have none', async () => {
    await fetch(`${front.url}/version`, { headers: { 'x-request-id': 'last' } });
    await front.stop();
    expect(await traceOf('last')).toMatchObject([{ name: 'GET /version' }]);
    expect(collector.spans.filter(({ name }) => name.includes('health'))).toEqual([]);
  });
});
