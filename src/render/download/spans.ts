/** Bytes of a file from one position up to another, which is not included. */
export interface Span {
  readonly from: number;
  readonly end: number;
}

/** The same bytes in as few spans as possible, in order. */
export function merged(spans: readonly Span[]): Span[] {
  const result: { from: number; end: number }[] = [];
  for (const { from, end } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last !== undefined && from <= last.end) last.end = Math.max(last.end, end);
    else if (end > from) result.push({ from, end });
  }
  return result;
}

/** What merged spans leave open of a span. */
export function gapsIn({ from, end }: Span, spans: readonly Span[]): Span[] {
  const gaps: Span[] = [];
  let at = from;
  for (const span of spans) {
    if (at >= end) break;
    if (span.from > at) gaps.push({ from: at, end: Math.min(span.from, end) });
    at = Math.max(at, span.end);
  }
  if (at < end) gaps.push({ from: at, end });
  return gaps;
}

/** Bytes of spans together. */
export function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { from, end }) => sum + end - from, 0);
}
