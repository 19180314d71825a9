import { anyText, httpUrl, oneOf } from '../settings/readers.ts';
import { setting } from '../settings/setting.ts';

/** Settings of traces, with the names of the OpenTelemetry specification. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: setting({
    description:
      'Address of an OpenTelemetry collector that accepts OTLP over HTTP. Traces are sent to /v1/traces below it.',
    default: 'none, and no traces are recorded',
    fallback: () => undefined,
    read: httpUrl,
  }),
  OTEL_EXPORTER_OTLP_HEADERS: setting({
    description: 'Headers of the requests to the collector: name=value,… with percent-encoded values.',
    default: 'none',
    fallback: () => ({}),
    read: keyValues,
  }),
  OTEL_SERVICE_NAME: setting({
    description: 'Name of this service in traces.',
    default: 'millrace',
    read: anyText,
  }),
  OTEL_RESOURCE_ATTRIBUTES: setting({
    description: 'Attributes of this node in traces: name=value,… with percent-encoded values.',
    default: 'service.version and service.instance.id',
    fallback: () => ({}),
    read: keyValues,
  }),
  OTEL_TRACES_SAMPLER: setting({
    description:
      'Which requests are traced: always_on, always_off, or traceidratio for the fraction in OTEL_TRACES_SAMPLER_ARG. ' +
      'The trace context of callers has no influence.',
    default: 'always_on',
    read: oneOf('always_on', 'always_off', 'traceidratio'),
  }),
  OTEL_TRACES_SAMPLER_ARG: setting({
    description: 'Fraction of requests that traceidratio traces, from 0 to 1.',
    default: '1',
    read: fraction,
  }),
};

/** Reads a comma-separated list of names with percent-encoded values (W3C Baggage, without properties). */
function keyValues(text: string): Readonly<Record<string, string>> {
  const entries = text.split(',').flatMap((member): [string, string][] => {
    if (member.trim() === '') return [];
    const at = member.indexOf('=');
    const name = member.slice(0, Math.max(0, at)).trim();
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) throw new Error('must be a list of name=value');
    return [[name, decode(member.slice(at + 1).trim())]];
  });
  return Object.fromEntries(entries);
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch (error) {
    throw new Error('must have percent-encoded values', { cause: error });
  }
}

function fraction(text: string): number {
  const value = Number(text);
  if (!(value >= 0 && value <= 1)) throw new Error('must be a number from 0 to 1');
  return value;
}
