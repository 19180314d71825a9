/** Attributes of a span. They never contain URLs, headers, keys or texts from callers. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Whether a span is a request to another server. */
export type SpanKind = 'internal' | 'client';

/** A period in milliseconds since 1970. */
export interface Period {
  readonly startedAt: number;
  readonly endedAt: number;
}

/**
 * Reports what the parts of the service do as spans. If work throws a MillraceError, its span has failed with the code of
 * the error. Other errors are attributes: they interrupt work, and a failure becomes a MillraceError further up.
 */
export interface Tracer {
  /** Whether spans are recorded. Parts are wrapped only if so. */
  readonly isOn: boolean;
  /** Does work in a child span of the active span. Without an active span, only does the work. */
  span<T>(name: string, attributes: SpanAttributes, work: () => T, kind?: SpanKind): T;
  /**
   * Does work in a span of a trace that began earlier, possibly on another node. Without a valid context, only does the
   * work.
   *
   * @param context Traceparent (W3C) that {@link context} returned.
   */
  continueTrace<T>(context: string | undefined, name: string, attributes: SpanAttributes, work: () => T): T;
  /** Records a span that has already ended, in a trace that began earlier. Without a valid context, does nothing. */
  record(context: string | undefined, name: string, attributes: SpanAttributes, period: Period): void;
  /** Adds attributes to the active span. */
  annotate(attributes: SpanAttributes): void;
  /** Marks the active span as failed, with an error code. */
  fail(code: string): void;
  /** Returns the traceparent (W3C) of the active span, with the sampling decision of its trace. */
  context(): string | undefined;
}

/** Records nothing. */
export const noTracing: Tracer = {
  isOn: false,
  span: (_name, _attributes, work) => work(),
  continueTrace: (_context, _name, _attributes, work) => work(),
  record: () => undefined,
  annotate: () => undefined,
  fail: () => undefined,
  context: () => undefined,
};

/** The span of a request, which is the root of a trace. */
export interface RequestSpan {
  /** Runs a function with this span as the active one. */
  run(work: () => void): void;
  annotate(attributes: SpanAttributes): void;
  /** Ends the span. `failed`: the service is at fault. */
  end(failed: boolean): void;
}

/** Starts traces, and sends them to a collector. */
export interface RecordingTracer extends Tracer {
  /**
   * Starts a trace. The service decides about sampling, whatever the caller's trace context states.
   *
   * @param callerContext The caller's traceparent, which the span links to if it is valid.
   */
  startRequest(name: string, attributes: SpanAttributes, callerContext: string | undefined): RequestSpan;
  /** Sends all ended spans, until the deadline is aborted at the latest. */
  flush(deadline: AbortSignal): Promise<void>;
  /** Ends the export. Spans that were not sent are lost. */
  close(): Promise<void>;
}
