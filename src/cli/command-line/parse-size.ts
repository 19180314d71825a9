import { UsageError } from '../errors/command-errors.ts';

/** Bytes of each unit. Units are decimal, as in the sizes that Millrace prints; those with an `i` are binary. */
const units: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 1e3,
  kb: 1e3,
  kib: 1024,
  m: 1e6,
  mb: 1e6,
  mib: 1024 ** 2,
  g: 1e9,
  gb: 1e9,
  gib: 1024 ** 3,
};

/**
 * Parses the value of an option as a number of bytes: `8MB`, `500 kB`, `1.5GiB`, `8000000`. Fractions of a byte are
 * dropped.
 *
 * @throws UsageError
 */
export function parseSize(name: string, text: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,15}(?:\.\d{1,9})?) ?([a-z]{0,3})$/.exec(text.trim().toLowerCase()) ?? [];
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
  const bytes = Math.floor(Number(digits) * (factor ?? Number.NaN));
  if (digits === '' || !Number.isSafeInteger(bytes) || bytes < 1) {
    throw new UsageError(`--${name} must be a size such as 8MB or 500kB, not ${text}.`);
  }
  return bytes;
}
