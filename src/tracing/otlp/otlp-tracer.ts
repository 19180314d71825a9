import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { Logger } from 'pino';
import { MillraceError } from '../../contract/errors.ts';
import { readPackageManifest } from '../../files/package-manifest.ts';
import type { SettingValues } from '../../settings/setting.ts';
import { errorCodeOf } from '../error-code.ts';
import type { tracingSettings } from '../settings.ts';
import { formatTraceparent, parseTraceparent, type SpanPosition } from '../traceparent.ts';
import type { RecordingTracer } from '../tracer.ts';
import { reportFailures } from './report-failures.ts';

/** Ended spans that wait for their export. Further ones are dropped. */
const MAX_WAITING_SPANS = 4_096;
const MAX_BATCH_SPANS = 512;
/** Time until a span is exported, unless a batch is full before. */
const EXPORT_DELAY_MS = 2_000;
/** Time limit of an export with its retries. The next one starts afterwards, even if a collector holds the former. */
const EXPORT_TIMEOUT_MS = 10_000;
/** Maximum concurrent exports. Further batches are dropped. */
const MAX_EXPORTS = 4;
/** Time limit of the last export when the service stops. */
const FLUSH_TIMEOUT_MS = 5_000;
const spanLimits = { attributeCountLimit: 32, attributeValueLengthLimit: 256, eventCountLimit: 0, linkCountLimit: 1 };
const kinds = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT };

/** Settings of traces, with a collector. */
type OtlpSettings = Omit<SettingValues<typeof tracingSettings>, 'OTEL_EXPORTER_OTLP_ENDPOINT'> & {
  readonly endpoint: string;
};

/** Creates a tracer that sends spans to an OpenTelemetry collector, as JSON in OTLP over HTTP. */
export async function createOtlpTracer(settings: OtlpSettings, log: Pick<Logger, 'warn'>): Promise<RecordingTracer> {
  const { endpoint, OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES, OTEL_EXPORTER_OTLP_HEADERS } = settings;
  const { version } = await readPackageManifest();
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: { ...OTEL_EXPORTER_OTLP_HEADERS },
    timeoutMillis: EXPORT_TIMEOUT_MS,
    concurrencyLimit: MAX_EXPORTS,
  });
  const processor = new BatchSpanProcessor(reportFailures(exporter, log), {
    maxQueueSize: MAX_WAITING_SPANS,
    maxExportBatchSize: MAX_BATCH_SPANS,
    scheduledDelayMillis: EXPORT_DELAY_MS,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.version': version,
      'service.instance.id': randomUUID(),
      ...OTEL_RESOURCE_ATTRIBUTES,
      'service.name': OTEL_SERVICE_NAME,
    }),
    sampler: new ParentBasedSampler({ root: rootSampler(settings) }),
    spanProcessors: [processor],
    spanLimits,
  });
  const tracer = provider.getTracer('millrace', version);
  /** The context of the active span. */
  const active = new AsyncLocalStorage<Context>();
  const activeSpan = () => trace.getSpan(active.getStore() ?? ROOT_CONTEXT);

  function runIn<T>(parent: Context, name: string, options: SpanOptions, work: () => T): T {
    const span = tracer.startSpan(name, options, parent);
    const end = (error?: unknown) => {
      if (error instanceof MillraceError) markFailed(span, error.code);
      else if (error !== undefined) span.setAttribute('error.type', errorCodeOf(error));
      span.end();
    };
    try {
      const result = active.run(trace.setSpan(parent, span), work);
      if (result instanceof Promise) result.then(() => end(), end);
      else end();
      return result;
    } catch (error) {
      end(error);
      throw error;
    }
  }

  return {
    isOn: true,
    span(name, attributes, work, kind = 'internal') {
      const parent = active.getStore();
      return parent === undefined ? work() : runIn(parent, name, { attributes, kind: kinds[kind] }, work);
    },
    continueTrace(context, name, attributes, work) {
      const parent = contextOf(context);
      return parent === undefined
        ? active.exit(work)
        : runIn(parent, name, { attributes, kind: SpanKind.CONSUMER }, work);
    },
    record(context, name, attributes, { startedAt, endedAt }) {
      const parent = contextOf(context);
      if (parent !== undefined)
        tracer.startSpan(name, { attributes, startTime: new Date(startedAt) }, parent).end(new Date(endedAt));
    },
    annotate: (attributes) => void activeSpan()?.setAttributes(attributes),
    fail(code) {
      const span = activeSpan();
      if (span !== undefined) markFailed(span, code);
    },
    context() {
      const span = activeSpan();
      return span === undefined ? undefined : formatTraceparent(positionOf(span));
    },
    startRequest(name, attributes, callerContext) {
      const caller = parseTraceparent(callerContext);
      const links = caller === undefined ? [] : [{ context: spanContextOf(caller) }];
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes, links }, ROOT_CONTEXT);
      return {
        run: (work) => active.run(trace.setSpan(ROOT_CONTEXT, span), work),
        annotate: (more) => void span.setAttributes(more),
        end(failed) {
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    async flush(deadline) {
      if (deadline.aborted) return;
      const limit = AbortSignal.any([deadline, AbortSignal.timeout(FLUSH_TIMEOUT_MS)]);
      const { promise: over, resolve } = Promise.withResolvers<void>();
      limit.addEventListener('abort', () => resolve(), { once: true });
      // Failures are reported where they occur.
      const waiting = processor.forceFlush().catch(() => undefined);
      const sent = waiting.then(() => exporter.forceFlush()).catch(() => undefined);
      await Promise.race([sent, over]);
    },
    async close() {
      // Not awaited: it waits for exports that a collector holds.
      provider.shutdown().catch(() => undefined);
    },
  };
}

function rootSampler({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: OtlpSettings): Sampler {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio);
  }
}

function markFailed(span: Span, code: string): void {
  span.setAttribute('error.type', code);
  span.setStatus({ code: SpanStatusCode.ERROR, message: code });
}

function contextOf(traceparent: string | undefined): Context | undefined {
  const position = parseTraceparent(traceparent);
  return position && trace.setSpanContext(ROOT_CONTEXT, spanContextOf(position));
}

function spanContextOf({ traceId, spanId, isSampled }: SpanPosition) {
  return { traceId, spanId, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true };
}

function positionOf(span: Span): SpanPosition {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return { traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 };
}
