import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Logger } from 'pino';
import { errorCodeOf } from '../error-code.ts';

const WARNING_INTERVAL_MS = 60_000;
/** Value of `ExportResultCode.SUCCESS`. */
const SUCCESS = 0;

/**
 * Wraps an exporter so that failures are logged, once a minute at most. The responses of collectors are not logged:
 * they may repeat headers.
 */
export function reportFailures(
  exporter: SpanExporter,
  log: Pick<Logger, 'warn'>,
  now = () => performance.now(),
): SpanExporter {
  let warnedAt = Number.NEGATIVE_INFINITY;
  let lost = 0;
  return {
    export(spans, onResult) {
      exporter.export(spans, (result) => {
        if (result.code !== SUCCESS) report(spans.length, result.error);
        onResult(result);
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };

  function report(spans: number, error: unknown): void {
    lost += spans;
    if (now() - warnedAt < WARNING_INTERVAL_MS) return;
    warnedAt = now();
    log.warn(
      { lost, reason: reasonOf(error) },
      'spans could not be sent to OTEL_EXPORTER_OTLP_ENDPOINT; they are lost',
    );
    lost = 0;
  }
}

/** Returns a system error code or a response code if the error has one. */
function reasonOf(error: unknown): string | number {
  if (!(error instanceof Error && 'code' in error)) return errorCodeOf(error);
  const { code } = error;
  return typeof code === 'string' || typeof code === 'number' ? code : errorCodeOf(error);
}
