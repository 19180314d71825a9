/** The request that starts a job. The job remembers it, so that its logs and traces on any node lead back to it. */
export interface RequestOrigin {
  /** ID of the request (`X-Request-Id`). */
  readonly requestId: string;
  /** The W3C traceparent of the span that starts the job. Absent without tracing. */
  readonly traceContext?: string;
}
