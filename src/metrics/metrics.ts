import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ErrorCode } from '../contract/errors.ts';
import type { PlanName } from '../contract/plans.ts';
import { createCallMetrics } from './call-metrics.ts';
import { createConnectionMetrics } from './connection-metrics.ts';
import type { Describe } from './describe.ts';
import { createFileMetrics } from './file-metrics.ts';
import { createLookups } from './lookups.ts';
import { createRunMetrics } from './run-metrics.ts';
import { createSweepMetrics } from './sweep-metrics.ts';

/** Seconds; extractions have 25 of them. */
const EXTRACTION_BUCKETS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 30];

/** What reaches the network: for pages and interfaces of sites, media of the relay, media of jobs, or webhooks. */
export type EgressClass = 'site' | 'relay' | 'render' | 'webhook';

/** An endpoint of the extraction API. */
export interface EndpointLabels {
  /** Such as `p1`. */
  readonly platform: string;
  /** Such as `/video/details`. */
  readonly endpoint: string;
}

/**
 * What the service counts of itself. Labels are names that the service has anyway, of which there are few: never a key,
 * an account, a URL or an id.
 */
export type Metrics = ReturnType<typeof createMetrics>;

/** Starts at zero. */
export function createMetrics() {
  const registry = new Registry();
  const of: Describe = (name, help, ...labelNames) => ({
    name: `millrace_${name}`,
    help,
    labelNames,
    registers: [registry],
  });
  const requests = new Counter(
    of(
      'requests_total',
      'Requests of the extraction API, by error code, ok or caller_left.',
      'platform',
      'endpoint',
      'code',
    ),
  );
  const requestSeconds = new Histogram({
    ...of('request_seconds', 'Time until a request of the extraction API was answered.', 'platform', 'endpoint'),
    buckets: EXTRACTION_BUCKETS,
  });
  const extractions = new Counter(
    of('extractions_total', 'Questions asked of platforms, by error code or success.', 'platform', 'endpoint', 'code'),
  );
  const extractionSeconds = new Histogram({
    ...of('extraction_seconds', 'Time until a platform had answered a question.', 'platform', 'endpoint'),
    buckets: EXTRACTION_BUCKETS,
  });
  const finds = new Counter(
    of('answer_cache_requests_total', 'Questions, by how they got their answer: hit, coalesced or miss.', 'result'),
  );
  const credits = new Counter(of('credits_debited_total', 'Credits debited.', 'plan'));
  const cancels = new Counter(
    of('render_cancels_total', 'Calls that cancelled a render job, or came too late: already_finished.', 'result'),
  );
  const egressRequests = new Counter(
    of('egress_requests_total', 'Requests to the outside, by the class of the answer or error.', 'class', 'answer'),
  );
  const egressBytes = new Counter(of('egress_received_bytes_total', 'Bytes of bodies from outside.', 'class'));
  const relayConnections = new Gauge(of('relay_connections', 'Open connections of the relay.'));
  const relayBytes = new Counter(of('relay_sent_bytes_total', 'Bytes that the relay has sent to callers.'));

  return {
    registry,
    /** A request of the extraction API was answered. */
    request(labels: EndpointLabels, code: ErrorCode | 'ok' | 'caller_left', milliseconds: number): void {
      requests.inc({ ...labels, code });
      requestSeconds.observe({ ...labels }, milliseconds / 1_000);
    },
    /** A platform has answered a question, or failed to. */
    extraction(labels: EndpointLabels, code: ErrorCode | 'success', milliseconds: number): void {
      extractions.inc({ ...labels, code });
      extractionSeconds.observe({ ...labels }, milliseconds / 1_000);
    },
    /** A question got its answer so. */
    answerFound(result: 'hit' | 'coalesced' | 'miss'): void {
      finds.inc({ result });
    },
    /** Credits were debited for good. */
    credits(plan: PlanName, amount: number): void {
      credits.inc({ plan }, amount);
    },
    /** A call to cancel a job was answered so. */
    cancel(result: 'cancelled' | 'already_finished'): void {
      cancels.inc({ result });
    },
    /** A request to the outside has ended, and so many bytes of a body have come. */
    egress(kind: EgressClass, answer: '2xx' | '3xx' | '4xx' | '5xx' | 'error', bytes: number): void {
      egressRequests.inc({ class: kind, answer });
      egressBytes.inc({ class: kind }, bytes);
    },
    /** A connection of the relay was opened; what is returned is called with the bytes it was sent, when it is over. */
    relayConnection(): (bytes: number) => void {
      relayConnections.inc();
      return (bytes) => {
        relayConnections.dec();
        relayBytes.inc(bytes);
      };
    },
    ...createRunMetrics(of),
    ...createCallMetrics(of),
    ...createConnectionMetrics(of),
    ...createFileMetrics(of),
    ...createSweepMetrics(of),
    ...createLookups(of),
  };
}
