/**
 * Parses a decimal integer (RFC 8216 §4.2). Returns undefined for any other text and for integers that a number cannot
 * represent.
 */
export function parseDecimalInteger(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,16}$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** Parses a decimal number without a sign or exponent (RFC 8216 §4.2). Returns undefined for any other text. */
export function parseDecimalNumber(text: string | undefined): number | undefined {
  if (text === undefined || !/^(\d{1,15}(\.\d{0,20})?|\.\d{1,20})$/.test(text)) return undefined;
  return Number(text);
}

/** Parses two numbers separated by an `x` (`1280x720`). Returns undefined for any other text. */
export function parseResolution(text: string | undefined): { width: number; height: number } | undefined {
  const match = /^(\d{1,6})x(\d{1,6})$/i.exec(text ?? '');
  return match === null ? undefined : { width: Number(match[1]), height: Number(match[2]) };
}
