import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** A span as a collector received it. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Absent for the root of a trace. */
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1: internal, 2: server, 3: client, 5: consumer. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Code 2: failed. */
  readonly status: { readonly code: number; readonly message?: string };
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Attributes of the process. */
  readonly resource: Readonly<Record<string, unknown>>;
}

/** An OpenTelemetry collector for tests. */
export interface Collector {
  readonly url: string;
  /** Every span so far. */
  readonly spans: readonly CollectedSpan[];
  /** Headers of every request so far. */
  readonly headers: readonly IncomingHttpHeaders[];
  /** Waits until the spans meet a condition, and returns them. */
  until(condition: (spans: readonly CollectedSpan[]) => boolean, timeout?: number): Promise<readonly CollectedSpan[]>;
  close(): Promise<void>;
}

/**
 * Starts a collector that receives OTLP as JSON over HTTP.
 *
 * @param status Code of its responses. `never`: it accepts requests and never responds.
 */
export async function startCollector(status: number | 'never' = 200): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer(async (request, response) => {
    headers.push(request.headers);
    if (request.url !== '/v1/traces' || request.method !== 'POST') {
      response.writeHead(404).end();
      return;
    }
    if (status === 'never') return;
    const body = await json(request);
    if (status < 300) spans.push(...readSpans(body as Export));
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers,
    async until(condition, timeout = 20_000) {
      const deadline = performance.now() + timeout;
      while (!condition(spans)) {
        if (performance.now() > deadline)
          throw new Error(`the collector has only these spans: ${spans.map(({ name }) => name).join(', ')}`);
        await delay(20);
      }
      return spans;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly spans: readonly ExportedSpan[] }[];
  }[];
}

type ExportedSpan = Omit<CollectedSpan, 'attributes' | 'resource' | 'startedAt' | 'endedAt' | 'links'> & {
  readonly attributes: readonly KeyValue[];
  readonly links?: CollectedSpan['links'];
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
};

function readSpans({ resourceSpans }: Export): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap((scope) => scope.spans)
      .map(({ attributes, links = [], startTimeUnixNano, endTimeUnixNano, ...span }) => ({
        ...span,
        links,
        attributes: toRecord(attributes),
        startedAt: Number(startTimeUnixNano) / 1e6,
        endedAt: Number(endTimeUnixNano) / 1e6,
        resource: toRecord(resource.attributes),
      })),
  );
}

/** Converts a list of attributes. Each value is in a member named after its type; integers are numbers or texts. */
function toRecord(attributes: readonly KeyValue[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
