import { afterEach, expect, test } from 'vitest';
import { type Collector, startCollector } from '../../../test/support/otlp-collector.ts';
import { readConfig } from '../../config.ts';
import { MillraceError } from '../../contract/errors.ts';
import { openTracer } from '../open-tracer.ts';
import type { RecordingTracer } from '../tracer.ts';

const never = new AbortController().signal;
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Opens a tracer and its collector. `warnings` are the objects that it logs. */
async function open(
  settings: Record<string, string> = {},
  status?: Parameters<typeof startCollector>[0],
): Promise<{ tracer: RecordingTracer; collector: Collector; warnings: unknown[] }> {
  const collector = await startCollector(status);
  const warnings: unknown[] = [];
  const config = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`, ...settings });
  const tracer = await openTracer(config, { warn: (facts: unknown) => warnings.push(facts) });
  if (tracer === undefined) throw new Error('no tracer was opened');
  closers.push(tracer.close, collector.close);
  return { tracer, collector, warnings };
}

/** Traces a request that does some work. */
function request(tracer: RecordingTracer, work: () => void, callerContext?: string): void {
  const span = tracer.startRequest('GET /p1', { 'millrace.request_id': 'r-1' }, callerContext);
  span.run(work);
  span.end(false);
}

test('without a collector, no tracer is opened', async () => {
  expect(await openTracer(readConfig({}), { warn: () => undefined })).toBeUndefined();
});

test('spans are nested, and state attributes, the service and its node', async () => {
  const { tracer, collector } = await open({
    OTEL_SERVICE_NAME: 'media',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=a%20b',
  });
  request(tracer, () => {
    tracer.span('outer', { a: 1, none: undefined }, () =>
      tracer.span('inner', {}, () => tracer.annotate({ found: true }), 'client'),
    );
  });
  await tracer.flush(never);
  const [inner, outer, root] = collector.spans;
  expect(root).toMatchObject({ name: 'GET /p1', kind: 2, links: [], attributes: { 'millrace.request_id': 'r-1' } });
  expect(root?.parentSpanId).toBeUndefined();
  expect(outer).toMatchObject({ name: 'outer', kind: 1, parentSpanId: root?.spanId, attributes: { a: 1 } });
  expect(inner).toMatchObject({
    kind: 3,
    parentSpanId: outer?.spanId,
    attributes: { found: true },
    status: { code: 0 },
  });
  expect(root?.resource).toEqual({
    'service.name': 'media',
    'service.version': expect.stringMatching(/^\d+\.\d+\.\d+/),
    'service.instance.id': expect.any(String),
    'deployment.environment.name': 'test',
  });
  expect(collector.headers[0]).toMatchObject({ 'x-team': 'a b', 'content-type': 'application/json' });
});

test('a span has failed with the code of a MillraceError, and states nothing of its message', async () => {
  const { tracer, collector } = await open();
  const refused = new MillraceError('source_refused', 'https://secret.example/?token=1 refused.');
  const interrupted = new TypeError('https://secret.example/?token=1');
  await new Promise<void>((done) => {
    request(tracer, async () => {
      expect(() =>
        tracer.span('sync', {}, () => {
          throw refused;
        }),
      ).toThrow(refused);
      await expect(tracer.span('async', {}, () => Promise.reject(refused))).rejects.toBe(refused);
      await expect(tracer.span('other', {}, () => Promise.reject(interrupted))).rejects.toBe(interrupted);
      tracer.span('reported', {}, () => tracer.fail('rate_limited'));
      done();
    });
  });
  await tracer.flush(never);
  const outcomes = collector.spans.map(({ name, status, attributes }) => [name, status.code, attributes['error.type']]);
  expect(outcomes).toEqual(
    expect.arrayContaining([
      ['sync', 2, 'source_refused'],
      ['async', 2, 'source_refused'],
      ['other', 0, 'TypeError'],
      ['reported', 2, 'rate_limited'],
    ]),
  );
  expect(JSON.stringify(collector.spans)).not.toContain('secret');
});

test('a trace continues on another node, and without a context nothing is recorded', async () => {
  const [first, second] = [await open(), await open()];
  let context: string | undefined;
  request(first.tracer, () => {
    context = first.tracer.context();
  });
  await second.tracer.continueTrace(context, 'run job', {}, async () => {
    await Promise.resolve();
    second.tracer.span('download input', {}, () => undefined);
  });
  second.tracer.record(context, 'wait in queue', { a: 1 }, { startedAt: 1_000, endedAt: 3_500 });
  for (const broken of [undefined, 'nonsense']) {
    second.tracer.continueTrace(broken, 'none', {}, () => second.tracer.span('none', {}, () => undefined));
    second.tracer.record(broken, 'none', {}, { startedAt: 0, endedAt: 1 });
  }
  second.tracer.span('none', {}, () => expect(second.tracer.context()).toBeUndefined());
  await Promise.all([first.tracer.flush(never), second.tracer.flush(never)]);
  const [root] = first.collector.spans;
  const [input, run, wait, ...others] = second.collector.spans;
  expect(others).toEqual([]);
  expect(run).toMatchObject({ name: 'run job', kind: 5, traceId: root?.traceId, parentSpanId: root?.spanId });
  expect(input).toMatchObject({ name: 'download input', parentSpanId: run?.spanId });
  expect(wait).toMatchObject({ parentSpanId: root?.spanId, startedAt: 1_000, endedAt: 3_500 });
});

test('the context of a caller becomes a link, and does not decide about the trace or its sampling', async () => {
  const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
  const traceparent = (flags: string) => `00-${caller.traceId}-${caller.spanId}-${flags}`;
  const { tracer, collector } = await open();
  request(tracer, () => undefined, traceparent('00'));
  request(tracer, () => undefined, 'nonsense');
  await tracer.flush(never);
  const [linked, plain] = collector.spans;
  expect(linked?.links).toEqual([expect.objectContaining(caller)]);
  expect(linked?.traceId).not.toBe(caller.traceId);
  expect(linked?.parentSpanId).toBeUndefined();
  expect(plain?.links).toEqual([]);

  const unsampled = await open({ OTEL_TRACES_SAMPLER: 'always_off' });
  let context: string | undefined;
  request(
    unsampled.tracer,
    () => {
      context = unsampled.tracer.context();
    },
    traceparent('01'),
  );
  // The decision travels with the context, to nodes that would sample the trace.
  expect(context).toMatch(/-00$/);
  tracer.continueTrace(context, 'run job', {}, () => undefined);
  await Promise.all([tracer.flush(never), unsampled.tracer.flush(never)]);
  expect(unsampled.collector.headers).toEqual([]);
  expect(collector.spans).toHaveLength(2);
});

test('a fraction of the requests is traced', async () => {
  const { tracer, collector } = await open({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' });
  for (let at = 0; at < 1_000; at += 1) request(tracer, () => undefined);
  await tracer.flush(never);
  expect(collector.spans.length).toBeGreaterThan(150);
  expect(collector.spans.length).toBeLessThan(350);
});

test('a collector that never responds delays a stop until the deadline only', async () => {
  const { tracer } = await open({}, 'never');
  request(tracer, () => undefined);
  const startedAt = performance.now();
  await tracer.flush(AbortSignal.timeout(100));
  await tracer.flush(AbortSignal.abort());
  await tracer.close();
  // An export takes up to ten seconds.
  expect(performance.now() - startedAt).toBeLessThan(9_000);
});

test('failed exports are logged once a minute, without the response of the collector', async () => {
  const { tracer, warnings } = await open({}, 403);
  for (const _ of [1, 2, 3]) {
    request(tracer, () => undefined);
    await tracer.flush(never);
  }
  expect(warnings).toEqual([{ lost: 1, reason: 403 }]);
});
