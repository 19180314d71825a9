/** Returns the milliseconds of a `Retry-After` header (RFC 9110 §10.2.3); undefined if it is invalid or in the past. */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  const milliseconds = /^[0-9]{1,10}$/.test(text)
    ? Number(text) * 1_000
    : text.endsWith(' GMT')
      ? Date.parse(text) - now.getTime()
      : Number.NaN;
  return milliseconds >= 0 ? milliseconds : undefined;
}
