/** A decimal integer as RFC 8216 §4.2 writes it, or undefined for anything else and for what a number cannot hold. */
export function parseDecimalInteger(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,16}$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** A decimal number without sign and exponent (RFC 8216 §4.2), or undefined for anything else. */
export function parseDecimalNumber(text: string | undefined): number | undefined {
  if (text === undefined || !/^(\d{1,15}(\.\d{0,20})?|\.\d{1,20})$/.test(text)) return undefined;
  return Number(text);
}

/** Two numbers around an `x` (`1280x720`), or undefined for anything else. */
export function parseResolution(text: string | undefined): { width: number; height: number } | undefined {
  const match = /^(\d{1,6})x(\d{1,6})$/i.exec(text ?? '');
  return match === null ? undefined : { width: Number(match[1]), height: Number(match[2]) };
}
