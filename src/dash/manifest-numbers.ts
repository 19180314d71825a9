/** Parses a number in a manifest. Returns undefined for any other text and for numbers that are too long. */
export function parseNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}(\.\d{1,20})?$/.test(text) ? Number(text) : undefined;
}

/**
 * Parses a `frameRate`, a number or a fraction such as `15360/512`. Returns frames per second, rounded to three
 * decimals.
 */
export function parseFrameRate(text: string | undefined): number | undefined {
  const match = /^(\d{1,9}(?:\.\d{1,9})?)(?:\/(\d{1,9}))?$/.exec(text ?? '');
  const rate = match === null ? 0 : Number(match[1]) / Number(match[2] ?? 1);
  return Number.isFinite(rate) && rate > 0 ? Math.round(rate * 1000) / 1000 : undefined;
}

/** Parses an `xs:duration` without years and months, such as `PT1H2M3.5S`. Returns seconds. */
export function parseDuration(text: string | undefined): number | undefined {
  const match = /^P(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,9}(?:\.\d{1,20})?)S)?)?$/.exec(text ?? '');
  if (match === null) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  const total = ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
  return total > 0 ? total : undefined;
}
