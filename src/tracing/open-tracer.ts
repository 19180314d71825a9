import type { Logger } from 'pino';
import type { SettingValues } from '../settings/setting.ts';
import type { tracingSettings } from './settings.ts';
import type { RecordingTracer } from './tracer.ts';

/** Opens the tracer of a node. Returns undefined if no collector is set; OpenTelemetry is then not loaded. */
export async function openTracer(
  settings: SettingValues<typeof tracingSettings>,
  log: Pick<Logger, 'warn'>,
): Promise<RecordingTracer | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = settings;
  if (endpoint === undefined) return undefined;
  const { createOtlpTracer } = await import('./otlp/otlp-tracer.ts');
  return await createOtlpTracer({ ...settings, endpoint }, log);
}
