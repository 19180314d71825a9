/** The position of a span in its trace. */
export interface SpanPosition {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly isSampled: boolean;
}

const SAMPLED = 0x01;

/** Parses a traceparent (W3C Trace Context, section 3.2). Returns undefined if it is not valid. */
export function parseTraceparent(text: string | undefined): SpanPosition | undefined {
  const [, version, traceId, spanId, flags, rest] =
    /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.{0,200})?$/.exec(text ?? '') ?? [];
  if (version === undefined || traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  // Later versions may append members. ff is not a version, and IDs are never zero.
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

/** Formats a traceparent. */
export function formatTraceparent({ traceId, spanId, isSampled }: SpanPosition): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}
